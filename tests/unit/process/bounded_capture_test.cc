#include "croq/process/bounded_capture.h"

#include <gtest/gtest.h>

#include <string>

namespace croq::process {
namespace {

TEST(BoundedCaptureTest, KeepsAShortTextWhole) {
  BoundedCapture capture(4, 4);
  EXPECT_TRUE(capture.Empty());
  capture.Append("ab");
  capture.Append("cdefgh");
  EXPECT_EQ(capture.Text(), "abcdefgh");
}

TEST(BoundedCaptureTest, KeepsTheFirstAndTheLastBytes) {
  BoundedCapture capture(4, 4);
  for (char letter = 'a'; letter <= 'z'; ++letter) capture.Append(std::string(1, letter));
  EXPECT_EQ(capture.Text(), "abcd\n... 18 bytes left out ...\nwxyz");
  EXPECT_EQ(capture.TotalBytes(), 26u);
}

TEST(BoundedCaptureTest, IsTheSameHoweverTheBytesArrive) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + ",";
  BoundedCapture whole(100, 50);
  whole.Append(text);
  for (const std::size_t step : {1u, 3u, 49u, 50u, 51u, 99u, 101u, 333u}) {
    BoundedCapture pieces(100, 50);
    for (std::size_t at = 0; at < text.size(); at += step) pieces.Append(text.substr(at, step));
    EXPECT_EQ(pieces.Text(), whole.Text()) << "in steps of " << step;
  }
}

TEST(BoundedCaptureTest, ClearStartsAnew) {
  BoundedCapture capture(4, 4);
  capture.Append("0123456789abcdef");
  capture.Clear();
  capture.Append("xy");
  EXPECT_EQ(capture.Text(), "xy");
}

TEST(LastLineTest, SkipsBlankLinesAtTheEnd) {
  EXPECT_EQ(LastLine("first\n  second \n\n \n"), "second");
  EXPECT_EQ(LastLine("only"), "only");
  EXPECT_EQ(LastLine("\n \n"), "");
  EXPECT_EQ(LastLine("abcdef", 3), "abc");
}

}  // namespace
}  // namespace croq::process
