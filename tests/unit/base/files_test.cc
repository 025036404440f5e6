#include "croq/base/files.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace croq {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "croq-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::ptrdiff_t Entries() const {
    return std::distance(std::filesystem::directory_iterator(folder_),
                         std::filesystem::directory_iterator());
  }

  std::filesystem::path folder_;
};

TEST_F(Files, ReadsBackWhatWasWritten) {
  const std::string content("a\0b\nc", 5);
  ASSERT_TRUE(WriteFileAtomic(folder_ / "x", content));
  EXPECT_EQ(ReadFile(folder_ / "x").value(), content);
  ASSERT_TRUE(WriteFileAtomic(folder_ / "x", ""));
  EXPECT_EQ(ReadFile(folder_ / "x").value(), "");
  EXPECT_EQ(Entries(), 1) << "a temporary file was left";
}

TEST_F(Files, ReadsLargeFilesAndThoseWithoutASize) {
  std::string large(3'000'001, 'x');
  large[70'000] = '\0';
  ASSERT_TRUE(WriteFile(folder_ / "large", large));
  EXPECT_EQ(ReadFile(folder_ / "large").value(), large);
  EXPECT_NE(ReadFile("/proc/self/status").value().find("VmSize"), std::string::npos);
}

TEST_F(Files, MakesScriptsExecutableAndDataNot) {
  using std::filesystem::perms;
  ASSERT_TRUE(WriteFileAtomic(folder_ / "run.sh", "#!/bin/sh\n", true));
  ASSERT_TRUE(WriteFileAtomic(folder_ / "data", "1"));
  EXPECT_NE(std::filesystem::status(folder_ / "run.sh").permissions() & perms::owner_exec,
            perms::none);
  EXPECT_EQ(std::filesystem::status(folder_ / "data").permissions() & perms::owner_exec,
            perms::none);
}

TEST_F(Files, ErrorsNameThePathAndTheReason) {
  const auto missing = ReadFile(folder_ / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kFatal);
  EXPECT_NE(missing.error().message.find((folder_ / "none").string()), std::string::npos);
  EXPECT_NE(missing.error().message.find("No such file or directory"), std::string::npos);

  const auto directory = ReadFile(folder_);
  ASSERT_FALSE(directory);
  EXPECT_NE(directory.error().message.find("it is a directory"), std::string::npos);

  const auto nowhere = WriteFileAtomic(folder_ / "no" / "x", "1");
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("No such file or directory"), std::string::npos);
}

TEST_F(Files, AFailedWriteLeavesTheOldContentAndNoTemporaryFile) {
  std::filesystem::create_directory(folder_ / "x");  // rename over a folder fails
  EXPECT_FALSE(WriteFileAtomic(folder_ / "x", "new"));
  EXPECT_TRUE(std::filesystem::is_directory(folder_ / "x"));
  EXPECT_EQ(Entries(), 1);
}

TEST_F(Files, ALinkStaysALink) {
  ASSERT_TRUE(WriteFileAtomic(folder_ / "x", "old"));
  std::filesystem::create_symlink("x", folder_ / "link");
  std::filesystem::create_symlink("link", folder_ / "longer");
  ASSERT_TRUE(WriteFileAtomic(folder_ / "longer", "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "longer"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_EQ(ReadFile(folder_ / "x").value(), "new");
  std::filesystem::remove(folder_ / "x");
  ASSERT_TRUE(WriteFileAtomic(folder_ / "link", "made"));
  EXPECT_EQ(ReadFile(folder_ / "x").value(), "made");
}

TEST_F(Files, APipeIsWrittenToAndStaysAPipe) {
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = ReadFile(pipe).value_or("nothing"); });
  EXPECT_TRUE(WriteFileAtomic(pipe, "content"));
  reader.join();
  EXPECT_EQ(got, "content");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(Entries(), 1);
}

TEST_F(Files, AReaderNeverSeesAPart) {
  const std::filesystem::path path = folder_ / "x";
  const std::string one(200'000, 'a');
  const std::string other(300'000, 'b');
  ASSERT_TRUE(WriteFileAtomic(path, one));
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(WriteFileAtomic(path, i % 2 == 0 ? other : one));
    done = true;
  });
  while (!done) {
    const auto content = ReadFile(path);
    EXPECT_TRUE(content.has_value());
    EXPECT_TRUE(*content == one || *content == other) << content->size();
  }
  writer.join();
}

TEST_F(Files, MakesParentsAndIsContentWithWhatIsThere) {
  EXPECT_TRUE(MakeDirectories(folder_ / "a" / "b"));
  EXPECT_TRUE(MakeDirectories(folder_ / "a" / "b"));
  std::ofstream(folder_ / "file") << "x";
  const Status blocked = MakeDirectories(folder_ / "file" / "b");
  ASSERT_FALSE(blocked);
  EXPECT_NE(blocked.error().message.find((folder_ / "file" / "b").string()), std::string::npos);
}

}  // namespace
}  // namespace croq
