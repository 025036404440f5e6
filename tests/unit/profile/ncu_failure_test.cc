#include "croq/profile/ncu_failure.h"

#include <gmock/gmock.h>

#include <set>

namespace croq::profile {
namespace {

using ::testing::HasSubstr;

TEST(NcuFailure, IsRecognisedByNcusOwnWords) {
  struct Case {
    const char* text;
    NcuProblem problem;
  };
  for (const auto& [text, problem] : std::initializer_list<Case>{
           {"==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
            "Performance Counters on the target device 0.\n==WARNING== No kernels were profiled.\n",
            NcuProblem::kNoPermission},
           {"==WARNING== No kernels were profiled.\n", NcuProblem::kNoKernels},
           {"==WARNING== No ranges were profiled.\n", NcuProblem::kNoKernels},
           {"==ERROR== Failed to initialize the profiler: LibraryNotLoaded\n",
            NcuProblem::kSandbox},
           {"==ERROR== An error was reported by the driver: Cuda driver is not compatible with "
            "Nsight Compute.\n==ERROR== The application returned an error code (11).\n",
            NcuProblem::kDriver},
           {"==ERROR== The application returned an error code (1).\n"
            "==WARNING== No kernels were profiled.\n",
            NcuProblem::kApplication},
           {"profiling failed because a driver resource was unavailable\n", NcuProblem::kBusy},
           {"profile_iter001.sh: line 12: ncu: command not found\n", NcuProblem::kNoProfiler},
           {"==ERROR== unrecognised option '--clock-control'\n", NcuProblem::kDriver},
           {"==ERROR== /tmp/nsight-compute-lock: Permission denied\n", NcuProblem::kLock},
       }) {
    EXPECT_EQ(RecogniseNcuProblem(text), problem) << text;
  }
  EXPECT_EQ(RecogniseNcuProblem("==WARNING== Unable to access the following 6 metrics: ctc__x\n"),
            std::nullopt);
  EXPECT_EQ(RecogniseNcuProblem(""), std::nullopt);
}

TEST(NcuFailure, SaysBothWaysToThePermission) {
  const std::string sentence = Explain(NcuProblem::kNoPermission, "ERR_NVGPUCTRPERM");
  EXPECT_THAT(sentence, HasSubstr("(ERR_NVGPUCTRPERM)"));
  EXPECT_THAT(sentence, HasSubstr("CAP_SYS_ADMIN"));
  EXPECT_THAT(sentence, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
}

TEST(NcuFailure, HasANameAndASentenceForEachProblem) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(NcuProblem::kOther); ++i) {
    const auto problem = static_cast<NcuProblem>(i);
    EXPECT_TRUE(names.insert(NameOf(problem)).second) << NameOf(problem);
    EXPECT_THAT(Explain(problem, "detail {} here"), HasSubstr(" (detail {} here)"));
    EXPECT_THAT(Explain(problem, ""), ::testing::Not(HasSubstr("{}")));
  }
}

TEST(NcuFailure, TheTellingLineIsAnErrorBeforeAWarning) {
  EXPECT_EQ(TellingLine("a\n==ERROR== x\r\n==WARNING== y\nz\n"), "==ERROR== x");
  EXPECT_EQ(TellingLine("a\n==WARNING== y\nz\n"), "==WARNING== y");
  EXPECT_EQ(TellingLine("==ERROR== Cuda driver is not compatible with Nsight Compute.\n"
                        "==ERROR== The application returned an error code (11).\n"),
            "==ERROR== Cuda driver is not compatible with Nsight Compute.");
  EXPECT_EQ(TellingLine("a\nlast\n\n"), "last");
  EXPECT_EQ(TellingLine(""), "");
}

}  // namespace
}  // namespace croq::profile
