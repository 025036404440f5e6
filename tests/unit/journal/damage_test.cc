#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "croq/journal/reader.h"
#include "croq/journal/schema.h"
#include "croq/journal/views.h"
#include "unit/journal/journal_fixture.h"

namespace croq::journal {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class DamageTest : public JournalTest {
 protected:
  void SetUp() override {
    Open();
    Commit("baseline");
    for (int n = 1; n <= 500; ++n) ASSERT_TRUE(journal_->AppendTrial(MakeTrial(n)));
    ASSERT_TRUE(journal_->FinishRun(RunStatus::kDone));
    journal_.reset();
    store_ = paths().Journal();
  }

  /// Opening fails with that text, to write and to read, and leaves the store as it is.
  void ExpectUntouched(const std::string& text) {
    struct stat before {};
    struct stat after {};
    ASSERT_EQ(::stat(store_.c_str(), &before), 0);
    const std::string content = ReadFile(store_).value();
    const auto opened = Journal::Open(paths(), info_);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, ErrorKind::kFatal);
    EXPECT_THAT(opened.error().message, HasSubstr(text));
    EXPECT_THAT(opened.error().message, HasSubstr(store_.string()));
    EXPECT_THAT(opened.error().message, HasSubstr("--out")) << "says what to do";
    EXPECT_EQ(ReadFile(store_).value(), content);
    ASSERT_EQ(::stat(store_.c_str(), &after), 0);
    EXPECT_EQ(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
    EXPECT_EQ(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    EXPECT_EQ(before.st_ino, after.st_ino);
    const auto entries = ListSessions(folder_.path());
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 1U) << "a listing goes on past a damaged store";
  }

  fs::path store_;
};

TEST_F(DamageTest, AnEmptyFile) {
  fs::resize_file(store_, 0);
  ExpectUntouched("is empty");
}

TEST_F(DamageTest, AFileOfZeros) {
  Put(store_, std::string(8192, '\0'));
  ExpectUntouched("not a SQLite file");
}

TEST_F(DamageTest, ATextFile) {
  Put(store_, "iter\tkernel\n");
  ExpectUntouched("not a SQLite file");
}

TEST_F(DamageTest, ACutStore) {
  const auto size = fs::file_size(store_);
  fs::resize_file(store_, size / 2);
  ExpectUntouched("is damaged");
}

TEST_F(DamageTest, AStoreCutInsideItsFirstPage) {
  fs::resize_file(store_, 1000);
  ExpectUntouched("is damaged");
}

TEST_F(DamageTest, OverwrittenPages) {
  std::fstream file(store_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096 * 3);
  file << std::string(4096 * 4, 'x');
  file.close();
  ExpectUntouched("is damaged");
}

TEST_F(DamageTest, AnotherProgramsStore) {
  ASSERT_TRUE(Database::Open(store_, Database::Mode::kReadWrite)
                  ->Execute("PRAGMA application_id = 1"));
  ExpectUntouched("not a croq journal");
}

TEST_F(DamageTest, ANewerStore) {
  ASSERT_TRUE(Database::Open(store_, Database::Mode::kReadWrite)
                  ->Execute("PRAGMA user_version = " + std::to_string(kSchemaVersion + 1)));
  ExpectUntouched("newer croq");
}

TEST_F(DamageTest, AFolderInItsPlace) {
  fs::remove(store_);
  fs::create_directory(store_);
  EXPECT_THAT(Journal::Open(paths(), info_).error().message, HasSubstr("not a plain file"));
}

TEST_F(DamageTest, ATornWalTailLosesOnlyTheTornCommit) {
  Open();
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(501)));
  ASSERT_TRUE(journal_->Flush());
  const auto whole = fs::file_size(store_.string() + "-wal");
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(502)));
  ASSERT_TRUE(journal_->Flush());
  const std::string wal = ReadFile(store_.string() + "-wal").value();
  const std::string database = ReadFile(store_).value();
  journal_.reset();
  Put(store_, database);
  Put(store_.string() + "-wal", wal.substr(0, whole + 100));
  Open();
  EXPECT_EQ(journal_->read().TrialCount(), 501);
  EXPECT_EQ(journal_->AppendTrial(MakeTrial(502)), 502);
}

TEST_F(DamageTest, AWalWithoutItsStoreIsPutAside) {
  fs::remove(store_);
  Put(store_.string() + "-wal", "left over");
  Open();
  EXPECT_FALSE(journal_->opened().resumed);
  ASSERT_FALSE(journal_->opened().repairs.empty());
  EXPECT_THAT(journal_->opened().repairs.front(), HasSubstr("journal.db-wal had no store"));
  EXPECT_NE(Text("results.tsv.bak"), "(absent)") << "the old results are kept";
}

TEST_F(DamageTest, AHalfMadeStoreIsMadeAnew) {
  fs::rename(store_, store_.string() + ".new");
  fs::resize_file(store_.string() + ".new", 5000);
  Open();
  EXPECT_FALSE(journal_->opened().resumed);
  EXPECT_FALSE(fs::exists(store_.string() + ".new"));
}

/// A file system of its own, or a reason to skip.
class SmallDisk {
 public:
  SmallDisk(const fs::path& path, const char* options) : path_(path) {
    fs::create_directories(path);
    mounted_ = ::mount("tmpfs", path.c_str(), "tmpfs", 0, options) == 0;
    if (!mounted_) reason_ = std::string("can't mount a tmpfs: ") + std::strerror(errno);
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }
  bool MakeReadOnly() {
    return ::mount("tmpfs", path_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
  }
  const std::string& reason() const { return reason_; }

 private:
  fs::path path_;
  bool mounted_;
  std::string reason_;
};

/// Takes every free byte of the disk that holds `path`.
void FillDisk(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const std::string block(512, 'x');
  while (::write(fd, block.data(), block.size()) > 0) {
  }
  ::close(fd);
}

class DiskFullTest : public JournalTest {
 protected:
  /// Commits iterations until one fails; the error, or nothing where none did.
  std::string IterateUntilItFails() {
    for (int n = 0; n < 10000; ++n) {
      const auto number = journal_->BeginIteration("tiled", "tiled", 1);
      if (!number) return number.error().message;
      const Status committed = journal_->CommitIteration(MakeIteration(*number, "tiled"));
      if (!committed) return committed.error().message;
    }
    return "";
  }
};

TEST_F(DiskFullTest, AFullDiskIsAClearErrorAndTheStoreOpensAfterwards) {
  const SmallDisk disk(folder_.path(), "size=1m");
  if (!disk.mounted()) GTEST_SKIP() << disk.reason();
  Open();
  Commit("baseline");
  FillDisk(folder_.path() / "ballast");
  std::int64_t appended = 0;
  Status flushed;
  while (flushed && appended < 100000) {
    for (int n = 0; n < 50; ++n) {
      ASSERT_TRUE(journal_->AppendTrial(MakeTrial(n), SteadyTime{}));
      ++appended;
    }
    flushed = journal_->Flush();
  }
  ASSERT_FALSE(flushed) << "the disk never filled";
  EXPECT_TRUE(IsDiskFull(flushed.error())) << flushed.error().message;
  EXPECT_THAT(flushed.error().message, HasSubstr("free some space"));
  const std::int64_t committed = journal_->read().TrialCount().value();
  EXPECT_LT(committed, appended);

  Open();  // the disk is still full
  EXPECT_EQ(journal_->read().TrialCount(), committed);
  EXPECT_EQ(journal_->read().Iterations()->size(), 1U);
  FillDisk(folder_.path() / "ballast");  // opening may have made room
  const std::string problem = IterateUntilItFails();
  EXPECT_THAT(problem, testing::AnyOf(HasSubstr("disk is full"), HasSubstr("No space left")));

  fs::remove(folder_.path() / "ballast");
  Open();
  EXPECT_EQ(journal_->read().TrialCount(), committed);
  EXPECT_EQ(journal_->AppendTrial(MakeTrial(1)), committed + 1);
  if (const auto open = *journal_->FindOpenIteration()) {
    EXPECT_TRUE(journal_->CommitIteration(MakeIteration(open->number, open->tag)));
  }
  Commit("after");
  std::string results = ResultsHeader();
  const auto iterations = journal_->read().Iterations();
  for (const Iteration& one : *iterations) results += ResultsLine(one);
  EXPECT_EQ(Text("results.tsv"), results);
}

TEST_F(DiskFullTest, NoSessionIsMadeOnAFullDisk) {
  const SmallDisk disk(folder_.path(), "size=1m");
  if (!disk.mounted()) GTEST_SKIP() << disk.reason();
  FillDisk(folder_.path() / "ballast");
  const auto opened = Journal::Open(paths(), info_);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("disk is full"));
  EXPECT_FALSE(fs::exists(paths().Journal()));
  fs::remove(folder_.path() / "ballast");
  Open();
}

TEST_F(JournalTest, AReadOnlyFolderIsAUsageErrorAndStaysAsItIs) {
  SmallDisk disk(folder_.path(), "size=1m");
  if (!disk.mounted() && ::geteuid() == 0) GTEST_SKIP() << disk.reason();
  if (disk.mounted() ? !disk.MakeReadOnly() : ::chmod(folder_.path().c_str(), 0555) != 0) {
    GTEST_SKIP() << "can't make a folder read-only: " << std::strerror(errno);
  }
  const auto opened = Journal::Open(paths(), info_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(opened.error().message, HasSubstr("--out"));
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(JournalTest, AReadOnlySessionCanBeReadButNotTuned) {
  SmallDisk disk(folder_.path(), "size=4m");
  if (!disk.mounted()) GTEST_SKIP() << disk.reason();
  Open();
  Commit("baseline");
  journal_.reset();
  ASSERT_TRUE(disk.MakeReadOnly());
  const auto reader = JournalReader::Open(paths());
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->read().Iterations()->size(), 1U);
  const auto opened = Journal::Open(paths(), info_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace croq::journal
