#include "croq_runner/driver.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace croq::runner {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class DriverOpen : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* before = std::getenv("CROQ_LIBCUDA");
    if (before != nullptr) before_ = before;
  }
  void TearDown() override {
    if (before_.empty()) {
      ::unsetenv("CROQ_LIBCUDA");
    } else {
      ::setenv("CROQ_LIBCUDA", before_.c_str(), 1);
    }
  }
  std::string before_;
};

TEST_F(DriverOpen, SaysWhichLibraryIsMissing) {
  ::setenv("CROQ_LIBCUDA", "/nowhere/libcuda.so.1", 1);
  const auto driver = Driver::Open();
  ASSERT_FALSE(driver);
  EXPECT_THAT(driver.error().message,
              AllOf(HasSubstr("/nowhere/libcuda.so.1"), HasSubstr("offline device")));
}

TEST_F(DriverOpen, SaysWhatAnOldLibraryLacks) {
  ::setenv("CROQ_LIBCUDA", "libm.so.6", 1);
  const auto driver = Driver::Open();
  ASSERT_FALSE(driver);
  EXPECT_THAT(driver.error().message,
              AllOf(HasSubstr("cuInit"), HasSubstr("cuMemAlloc_v2"), HasSubstr("CUDA 12")));
  EXPECT_THAT(driver.error().message, Not(HasSubstr("cuFuncGetParamInfo")));
}

TEST(DriverIsSticky, TellsALostContextFromARefusedCall) {
  EXPECT_TRUE(Driver::IsSticky(CUDA_ERROR_ILLEGAL_ADDRESS));
  EXPECT_TRUE(Driver::IsSticky(CUDA_ERROR_LAUNCH_FAILED));
  EXPECT_FALSE(Driver::IsSticky(CUDA_ERROR_OUT_OF_MEMORY));
  EXPECT_FALSE(Driver::IsSticky(CUDA_ERROR_INVALID_VALUE));
  EXPECT_FALSE(Driver::IsSticky(CUDA_SUCCESS));
}

}  // namespace
}  // namespace croq::runner
