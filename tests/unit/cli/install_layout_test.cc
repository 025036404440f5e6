#include "croq/cli/install_layout.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>

#include "croq/base/files.h"
#include "croq/cli/interpreter.h"
#include "croq/cli/out_folder.h"

namespace croq::cli {
namespace {

namespace fs = std::filesystem;

class Folders : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "croq layout XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }
  void Make(const fs::path& path) { ASSERT_TRUE(MakeDirectories(root_ / path)); }

  fs::path root_;
};

TEST_F(Folders, PackageIsOneFolder) {
  Make("contracts");
  Make("python/croq_worker");
  const InstallLayout layout = FindInstallLayout(root_, "/nowhere", "/nowhere").value();
  EXPECT_EQ(layout.contracts, root_ / "contracts");
  EXPECT_EQ(layout.operators, root_ / "python" / "operators");
  EXPECT_EQ(layout.runner, root_ / "croq-runner");
  EXPECT_TRUE(layout.environment.empty());
}

TEST_F(Folders, InstalledPrefixIsSplit) {
  Make("bin");
  Make("share/croq/contracts");
  Make("share/croq/python/croq_worker");
  const InstallLayout layout = FindInstallLayout(root_ / "bin", "/nowhere", "/nowhere").value();
  EXPECT_EQ(layout.python, root_ / "share" / "croq" / "python");
  EXPECT_EQ(layout.supervisor, root_ / "libexec" / "croq" / "croq-supervisor");
}

TEST_F(Folders, BuildFolderUsesTheSources) {
  Make("build/release");
  Make("python/croq_worker");
  const fs::path build = root_ / "build" / "release";
  const InstallLayout layout = FindInstallLayout(build, build, root_).value();
  EXPECT_EQ(layout.contracts, root_ / "contracts");
  EXPECT_EQ(layout.runner, build / "croq-runner");
  EXPECT_EQ(layout.environment, root_ / ".venv");
}

TEST_F(Folders, ElsewhereItIsNotInstalledWhole) {
  const auto layout = FindInstallLayout(root_, root_ / "build", root_);
  ASSERT_FALSE(layout.has_value());
  EXPECT_EQ(layout.error().kind, ErrorKind::kFatal);
  EXPECT_THAT(layout.error().message, ::testing::HasSubstr("not installed whole"));
}

TEST_F(Folders, PythonFolderIsItsOwnWhereItHasTheName) {
  ASSERT_TRUE(WriteFileAtomic(root_ / "python", "#!/bin/sh\n", true));
  fs::create_symlink(root_ / "python", root_ / "python3");
  EXPECT_EQ(PythonFolder(root_ / "python", "python3", root_ / "shim").value(), root_);
  EXPECT_FALSE(fs::exists(root_ / "shim"));
}

TEST_F(Folders, PythonFolderIsAShimWhereAnotherHasTheName) {
  ASSERT_TRUE(WriteFileAtomic(root_ / "python3.12", "#!/bin/sh\necho \"called $1\"\n", true));
  ASSERT_TRUE(WriteFileAtomic(root_ / "python3", "#!/bin/sh\necho other\n", true));
  const fs::path folder =
      PythonFolder(root_ / "python3.12", "python3", root_ / "it's a shim").value();
  EXPECT_EQ(folder, root_ / "it's a shim");
  EXPECT_THAT(ReadFile(folder / "python3").value(), ::testing::HasSubstr("python3.12"));
  EXPECT_EQ(::access((folder / "python3").c_str(), X_OK), 0);
}

TEST_F(Folders, CheckOutLeavesNothingBehind) {
  EXPECT_TRUE(CheckOut(root_ / "not" / "there"));
  EXPECT_TRUE(fs::is_empty(root_));
  ASSERT_TRUE(WriteFileAtomic(root_ / "file", ""));
  EXPECT_FALSE(CheckOut(root_ / "file"));
  EXPECT_FALSE(CheckOut(root_ / "file" / "x"));
  EXPECT_FALSE(CheckOut("/proc/croq"));
  EXPECT_FALSE(CheckOut(""));
}

}  // namespace
}  // namespace croq::cli
