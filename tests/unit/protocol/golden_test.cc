#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "croq/base/files.h"
#include "croq/protocol/message_types.h"
#include "samples.h"

namespace croq::protocol {
namespace {

using nlohmann::json;

std::filesystem::path GoldenFolder() {
  return std::filesystem::path(CROQ_SOURCE_DIR) / "tests/golden/protocol";
}

/// CROQ_ACCEPT=1 rewrites the files: the difference is then what a reviewer judges.
bool Accepting() {
  return std::getenv("CROQ_ACCEPT") != nullptr;
}

TEST(Golden, EveryMessageIsAsItsFileSays) {
  for (const Sample& sample : AllSamples()) {
    SCOPED_TRACE(sample.name);
    const auto path = GoldenFolder() / (sample.name + ".json");
    if (Accepting()) {
      ASSERT_TRUE(WriteFileAtomic(path, sample.message.dump(1) + "\n"));
    }
    const auto text = ReadFile(path);
    ASSERT_TRUE(text) << text.error().message << "; CROQ_ACCEPT=1 writes it";
    EXPECT_EQ(json::parse(*text), sample.message);
  }
}

TEST(Golden, EveryFileDecodesAndEncodesToItself) {
  for (const Sample& sample : AllSamples()) {
    SCOPED_TRACE(sample.name);
    const auto text = ReadFile(GoldenFolder() / (sample.name + ".json"));
    ASSERT_TRUE(text) << text.error().message;
    const json message = json::parse(*text);
    EXPECT_EQ(sample.again(message), message);
  }
}

TEST(Golden, NoFileIsLeftOver) {
  std::set<std::string> names;
  for (const Sample& sample : AllSamples()) names.insert(sample.name + ".json");
  for (const auto& entry : std::filesystem::directory_iterator(GoldenFolder())) {
    EXPECT_TRUE(names.contains(entry.path().filename().string())) << entry.path();
  }
}

/// Takes each field out in turn: the error must name it. Fields that may be absent are named here.
TEST(Decode, MissingFieldsAreNamed) {
  const std::set<std::string> optional = {"id",    "triton", "torch",  "numpy",
                                          "check", "timing", "worker", "overrides"};
  for (const Sample& sample : AllSamples()) {
    for (const auto& [field, value] : sample.message.items()) {
      // Without its problem a request is one about a matmul: other fields are wanted then.
      if (field == "problem" && (value.is_null() || sample.name.ends_with("_problem")))
        continue;
      json without = sample.message;
      without.erase(field);
      const json again = sample.again(without);
      SCOPED_TRACE(sample.name + " without " + field);
      if (optional.contains(field) && sample.name != "hello_worker" &&
          !(field == "timing" && sample.name.starts_with("time_reply"))) {
        EXPECT_FALSE(again.contains("decode_error")) << again;
      } else if (!optional.contains(field)) {
        ASSERT_TRUE(again.contains("decode_error")) << again;
        EXPECT_NE(again["decode_error"].get<std::string>().find("'" + field + "'"),
                  std::string::npos)
            << again;
      }
    }
  }
}

/// Puts an object where no field expects one with this content.
TEST(Decode, MistypedFieldsAreNamed) {
  const std::set<std::string> any = {"tree", "id"};
  for (const Sample& sample : AllSamples()) {
    for (const auto& [field, value] : sample.message.items()) {
      if (any.contains(field) || (field == "worker" && sample.name.starts_with("hello_runner"))) {
        continue;
      }
      json wrong = sample.message;
      wrong[field] = json{{"surprise", json::array()}};
      const json again = sample.again(wrong);
      SCOPED_TRACE(sample.name + " with a wrong " + field);
      ASSERT_TRUE(again.contains("decode_error")) << again;
      EXPECT_NE(again["decode_error"].get<std::string>().find("'" + field + "'"), std::string::npos)
          << again;
    }
  }
}

TEST(Decode, UnknownFieldsAreIgnored) {
  for (const Sample& sample : AllSamples()) {
    json extra = sample.message;
    extra["from_a_later_version"] = {1, 2, 3};
    EXPECT_EQ(sample.again(extra), sample.message) << sample.name;
  }
}

TEST(Decode, AnotherTypeIsRefused) {
  for (const Sample& sample : AllSamples()) {
    json other = sample.message;
    other["type"] = "something_else";
    const json again = sample.again(other);
    ASSERT_TRUE(again.contains("decode_error")) << sample.name;
    EXPECT_NE(again["decode_error"].get<std::string>().find("something_else"), std::string::npos);
  }
}

}  // namespace
}  // namespace croq::protocol
