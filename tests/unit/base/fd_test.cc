#include "croq/base/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <utility>

namespace croq {
namespace {

bool IsOpen(int fd) {
  return ::fcntl(fd, F_GETFD) != -1;
}

int OpenNull() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

TEST(Fd, ClosesAtTheEndOfItsScope) {
  int raw = -1;
  {
    const Fd fd(OpenNull());
    raw = fd.get();
    ASSERT_TRUE(fd);
    EXPECT_TRUE(IsOpen(raw));
  }
  EXPECT_FALSE(IsOpen(raw));
}

TEST(Fd, MovingHandsItOver) {
  Fd one(OpenNull());
  const int raw = one.get();
  Fd two(std::move(one));
  EXPECT_FALSE(one);  // NOLINT(bugprone-use-after-move): a moved-from Fd is empty
  EXPECT_EQ(two.get(), raw);
  Fd three(OpenNull());
  const int replaced = three.get();
  three = std::move(two);
  EXPECT_EQ(three.get(), raw);
  EXPECT_FALSE(IsOpen(replaced));
}

TEST(Fd, ReleaseLeavesItOpen) {
  Fd fd(OpenNull());
  const int raw = fd.Release();
  EXPECT_FALSE(fd);
  EXPECT_TRUE(IsOpen(raw));
  ::close(raw);
}

TEST(Fd, NoneIsFalse) {
  Fd fd;
  EXPECT_FALSE(fd);
  fd.Close();
  EXPECT_EQ(fd.get(), -1);
}

}  // namespace
}  // namespace croq
