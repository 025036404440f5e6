#include "croq/protocol/frame.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "croq/base/fd.h"

namespace croq::protocol {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    read = Fd(ends[0]);
    write = Fd(ends[1]);
  }
  void Put(std::string_view bytes) {
    ASSERT_EQ(::write(write.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  Fd read;
  Fd write;
};

std::string Framed(const std::string& payload) {
  std::string frame;
  for (int shift = 0; shift < 32; shift += 8) {
    frame += static_cast<char>((payload.size() >> shift) & 0xff);
  }
  return frame + payload;
}

TEST(Frames, LengthIsLittleEndian) {
  Pipe pipe;
  ASSERT_TRUE(WriteFrame(pipe.write.get(), std::string(258, 'x')));
  unsigned char header[4];
  ASSERT_EQ(::read(pipe.read.get(), header, 4), 4);
  EXPECT_EQ(header[0], 2);
  EXPECT_EQ(header[1], 1);
  EXPECT_EQ(header[2], 0);
  EXPECT_EQ(header[3], 0);
}

TEST(Frames, ALargeOneCrossesThePipesBuffer) {
  Pipe pipe;
  const std::string payload(3 << 20, 'y');
  std::thread writer([&] { EXPECT_TRUE(WriteFrame(pipe.write.get(), payload)); });
  const auto frame = ReadFrame(pipe.read.get());
  writer.join();
  ASSERT_TRUE(frame);
  EXPECT_EQ(**frame, payload);
}

TEST(Frames, AFullNonBlockingDescriptorIsWaitedFor) {
  Pipe pipe;
  ::fcntl(pipe.write.get(), F_SETFL, O_NONBLOCK);
  const std::string payload(1 << 20, 'z');
  std::thread writer([&] { EXPECT_TRUE(WriteFrame(pipe.write.get(), payload)); });
  const auto frame = ReadFrame(pipe.read.get());
  writer.join();
  ASSERT_TRUE(frame);
  EXPECT_EQ((*frame)->size(), payload.size());
}

TEST(Frames, EndBetweenFramesIsNoError) {
  Pipe pipe;
  ASSERT_TRUE(WriteFrame(pipe.write.get(), "{}"));
  pipe.write.Close();
  EXPECT_EQ(**ReadFrame(pipe.read.get()), "{}");
  const auto end = ReadFrame(pipe.read.get());
  ASSERT_TRUE(end);
  EXPECT_FALSE(*end);
}

TEST(Frames, EndInsideAFrameIsTorn) {
  const std::string whole = Framed("{\"a\": 1}");
  for (std::size_t kept = 1; kept < whole.size(); ++kept) {
    Pipe pipe;
    pipe.Put(whole.substr(0, kept));
    pipe.write.Close();
    const auto frame = ReadFrame(pipe.read.get());
    ASSERT_FALSE(frame) << kept;
    EXPECT_NE(frame.error().message.find("inside a frame"), std::string::npos);
  }
}

TEST(Frames, OversizedIsRefusedBeforeItIsRead) {
  Pipe pipe;
  pipe.Put(std::string("\x01\x00\x00\x04", 4));  // 64 MiB and one byte
  const auto frame = ReadFrame(pipe.read.get());
  ASSERT_FALSE(frame);
  EXPECT_NE(frame.error().message.find("above the limit"), std::string::npos);
  FrameReader reader;
  reader.Feed(std::string("\xff\xff\xff\xff", 4));
  EXPECT_FALSE(reader.Next());
}

TEST(Frames, WritingToAGonePeerIsAnError) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  pipe.read.Close();
  EXPECT_FALSE(WriteFrame(pipe.write.get(), "{}"));
}

TEST(Messages, PayloadThatIsNoObjectIsRefused) {
  for (const char* payload : {"", "[1]", "{", "7", "{\"a\":\"\xff\"}"}) {
    Pipe pipe;
    ASSERT_TRUE(WriteFrame(pipe.write.get(), payload));
    EXPECT_FALSE(ReadMessage(pipe.read.get())) << payload;
  }
}

TEST(Messages, BytesThatAreNotUtf8AreReplaced) {
  Pipe pipe;
  ASSERT_TRUE(WriteMessage(pipe.write.get(), {{"reason", "bad \xff byte"}}));
  const auto message = ReadMessage(pipe.read.get());
  ASSERT_TRUE(message) << message.error().message;
  EXPECT_EQ((**message)["reason"], "bad \xef\xbf\xbd byte");
}

TEST(FrameReader, NonBlockingDescriptor) {
  Pipe pipe;
  ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
  FrameReader reader;
  EXPECT_TRUE(*reader.FillFrom(pipe.read.get()));
  EXPECT_FALSE(*reader.Next());
  pipe.Put(Framed("{}").substr(0, 5));
  EXPECT_TRUE(*reader.FillFrom(pipe.read.get()));
  EXPECT_FALSE(*reader.Next());
  EXPECT_TRUE(reader.HasPartialFrame());
  pipe.Put("}");
  pipe.write.Close();
  while (*reader.FillFrom(pipe.read.get())) {
  }
  EXPECT_EQ(**reader.Next(), "{}");
  EXPECT_FALSE(reader.HasPartialFrame());
}

RC_GTEST_PROP(FrameReaderProperty, AnyCutGivesTheSameFrames,
              (const std::vector<std::string>& payloads, const std::vector<unsigned char>& cuts)) {
  std::string stream;
  for (const std::string& payload : payloads) stream += Framed(payload);
  FrameReader reader;
  std::vector<std::string> seen;
  std::size_t at = 0;
  for (std::size_t i = 0; at < stream.size(); ++i) {
    const std::size_t step = i < cuts.size() ? cuts[i] % 7 : stream.size();
    reader.Feed(std::string_view(stream).substr(at, step));
    at += step;
    while (true) {
      auto next = reader.Next();
      RC_ASSERT(next.has_value());
      if (!next->has_value())
        break;
      seen.push_back(**next);
    }
  }
  RC_ASSERT(seen == payloads);
  RC_ASSERT(!reader.HasPartialFrame());
}

RC_GTEST_PROP(FrameProperty, WrittenIsRead, (const std::string& payload)) {
  Pipe pipe;
  RC_ASSERT(WriteFrame(pipe.write.get(), payload).has_value());
  RC_ASSERT(**ReadFrame(pipe.read.get()) == payload);
}

}  // namespace
}  // namespace croq::protocol
