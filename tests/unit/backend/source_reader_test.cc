#include "croq/backend/source_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "croq/base/files.h"
#include "croq/process/siblings.h"
#include "support/processes.h"
#include "support/python.h"

namespace croq::backend {
namespace {

using croq::testing::TemporaryFolder;
using ::testing::HasSubstr;
using State = ParsedFile::State;

/// The real parse worker; a file of tests/support/fake_worker.py's words is the fault it brings.
class SourceReaderTest : public ::testing::Test {
 protected:
  SourceReaderTest() {
    options_.python.python = croq::testing::AnyPython();
    options_.python.supervisor = process::FindSibling("croq-supervisor").value();
    options_.python.worker_folder = std::string(CROQ_SOURCE_DIR) + "/python";
    options_.python.environment["PYTHONDONTWRITEBYTECODE"] = "1";
    options_.scratch = folder_.path() / "scratch";
  }

  void UseFake() {
    options_.python.program = {std::string(CROQ_SOURCE_DIR) + "/tests/support/fake_worker.py"};
    options_.python.environment["CROQ_FAKE_STATE"] = folder_.path().string();
  }

  std::filesystem::path File(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_.path() / name;
    EXPECT_TRUE(WriteFile(path, text));
    return path;
  }

  std::map<std::size_t, ParsedFile> ReadAll(const std::vector<std::filesystem::path>& paths) {
    std::map<std::size_t, ParsedFile> files;
    SourceReader reader(options_);
    const Status read = reader.ReadAll(paths, [&](std::size_t index, ParsedFile file) {
      EXPECT_TRUE(files.emplace(index, std::move(file)).second) << "handed over twice";
    });
    EXPECT_TRUE(read) << read.error().message;
    EXPECT_EQ(files.size(), paths.size());
    return files;
  }

  TemporaryFolder folder_;
  SourceReader::Options options_;
};

TEST_F(SourceReaderTest, EveryFileIsATreeOrSaysWhyNot) {
  options_.workers = 2;
  std::vector<std::filesystem::path> paths;
  for (int i = 0; i < 40; ++i)
    paths.push_back(File("f" + std::to_string(i) + ".py", "x = " + std::to_string(i) + "\r\n"));
  paths.push_back(File("wrong.py", "x = 1\ny = (\n"));
  paths.push_back(folder_.path() / "nowhere.py");
  paths.push_back(folder_.path());
  paths.push_back(File("large.py", std::string(kMaxSourceBytes + 1, '#')));
  paths.push_back(File("still_fits.py", std::string(kMaxSourceBytes, '#')));
  paths.push_back(File("empty.py", ""));
  auto files = ReadAll(paths);
  for (std::size_t i = 0; i < 40; ++i) {
    ASSERT_EQ(files[i].state, State::kParsed) << files[i].message;
    EXPECT_EQ(files[i].path, paths[i].string());
    EXPECT_EQ(files[i].tree->bytes(), "x = " + std::to_string(i) + "\r\n");
    EXPECT_EQ(files[i].tree->root().children.size(), 1U);
  }
  EXPECT_EQ(files[40].state, State::kRefused);
  EXPECT_EQ(files[40].line, 2);
  EXPECT_EQ(files[40].column, 4);
  EXPECT_THAT(files[40].message, HasSubstr("syntax error"));
  EXPECT_EQ(files[41].state, State::kUnreadable);
  EXPECT_THAT(files[41].message, HasSubstr("No such file"));
  EXPECT_EQ(files[42].state, State::kUnreadable);
  EXPECT_THAT(files[42].message, HasSubstr("is a folder"));
  EXPECT_EQ(files[43].state, State::kRefused);
  EXPECT_THAT(files[43].message, HasSubstr("larger than"));
  EXPECT_EQ(files[44].state, State::kParsed);
  EXPECT_EQ(files[45].state, State::kParsed);
}

TEST_F(SourceReaderTest, BytesNeedNoFile) {
  SourceReader reader(options_);
  const auto read = reader.ReadBytes("made.py", "x = 1\n");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->tree->path(), "made.py");
  EXPECT_EQ(reader.Read(File("again.py", "y = 2\n")).value().state, State::kParsed);
}

TEST_F(SourceReaderTest, AHangIsRefusedAndTheRestIsRead) {
  UseFake();
  options_.workers = 2;
  options_.deadline = std::chrono::milliseconds(500);
  std::vector<std::filesystem::path> paths;
  for (const char* name : {"a.py", "hang.py", "b.py", "c.py", "d.py", "e.py"})
    paths.push_back(File(name, "x = 1\n"));
  auto files = ReadAll(paths);
  for (const std::size_t i : {0, 2, 3, 4, 5}) EXPECT_EQ(files[i].state, State::kParsed) << i;
  EXPECT_EQ(files[1].state, State::kRefused);
  EXPECT_EQ(files[1].message, "not parsed within 0.5 s");
}

TEST_F(SourceReaderTest, OneLostWorkerIsForgivenTwoAreTheFiles) {
  UseFake();
  auto files = ReadAll({File("crash_once.py", "x = 1\n"), File("crash.py", "x = 1\n"),
                        File("torn.py", "x = 1\n"), File("fine.py", "x = 1\n"),
                        File("wrong_id.py", "x = 1\n")});
  EXPECT_EQ(files[0].state, State::kParsed);
  EXPECT_EQ(files[1].state, State::kRefused);
  EXPECT_THAT(files[1].message, HasSubstr("killed by SIGSEGV"));
  EXPECT_EQ(files[2].state, State::kRefused);
  EXPECT_EQ(files[3].state, State::kParsed);
  EXPECT_EQ(files[4].state, State::kRefused);
}

TEST_F(SourceReaderTest, ABrokenPythonIsAnError) {
  UseFake();
  options_.python.environment["CROQ_FAKE_START"] = "exit";
  SourceReader reader(options_);
  const auto read = reader.Read(File("a.py", "x = 1\n"));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("does not start"));
}

TEST_F(SourceReaderTest, AWorkersOwnDefectIsAnError) {
  UseFake();
  SourceReader reader(options_);
  const auto read = reader.Read(File("refuse.py", "x = 1\n"));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("could not parse"));
}

/// Nothing that Python's parser can be fed ends it or keeps it.
TEST_F(SourceReaderTest, NestingIsRefused) {
  std::vector<std::filesystem::path> paths;
  int number = 0;
  for (const char* part : {"(", "[", "-", "not ", "a[", "lambda:", "f(", "{0:", "1+", "a.b if "}) {
    std::string text = "x = ";
    while (text.size() < 200'000) text += part;
    paths.push_back(File("n" + std::to_string(number++) + ".py", text + "1\n"));
  }
  std::string deep = "if x:\n";
  for (int i = 1; i < 95; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
  paths.push_back(File("deep.py", deep + std::string(95, ' ') + "pass\n"));
  auto files = ReadAll(paths);
  for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
    EXPECT_EQ(files[i].state, State::kRefused) << i;
    EXPECT_FALSE(files[i].message.empty());
  }
}

}  // namespace
}  // namespace croq::backend
