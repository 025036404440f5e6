// Is the cost of appending trials flat? Times trials 1..1000 and 9001..10000 of one session, each
// thousand with its commits, and prints both and their ratio.
//   journal_append [FOLDER]     FOLDER decides the disk; a temporary one otherwise
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "croq/base/clock.h"
#include "croq/journal/journal.h"

namespace croq::journal {
namespace {

constexpr int kThousands = 10;
constexpr int kBatch = 10;           // trials a commit: 40 a second at the 250 ms batch age

Trial MakeTrial(int n) {
  Trial trial;
  trial.config.variant = "tiled";
  for (const char* lever : {"BLOCK_K", "BLOCK_M", "BLOCK_N", "GROUP_M", "num_stages", "num_warps"}) {
    trial.config.values[lever] = std::int64_t{n};
  }
  trial.build.cubin_fingerprint = std::string(32, 'f');
  return trial;
}

/// Microseconds a trial for the next thousand; negative on an error, which is printed.
double TimeThousand(Journal& journal) {
  const SteadyTime start = std::chrono::steady_clock::now();
  for (int n = 0; n < 1000; ++n) {
    if (!journal.AppendTrial(MakeTrial(n), SteadyTime{})) return -1;
    if (n % kBatch != kBatch - 1) continue;
    if (const Status flushed = journal.Flush(); !flushed) {
      std::fprintf(stderr, "%s\n", flushed.error().message.c_str());
      return -1;
    }
  }
  return SecondsSince(start) * 1000;
}

int Main(const std::filesystem::path& out) {
  SessionInfo info;
  info.gpu_key = "sm90_bench";
  info.dsl = "triton";
  info.shape_key = "matmul_f16fp32_64x64x64";
  info.model = "bench";
  const auto journal =
      Journal::Open({out, info.gpu_key, info.dsl, info.shape_key, info.model}, info);
  if (!journal) {
    std::fprintf(stderr, "%s\n", journal.error().message.c_str());
    return 1;
  }
  double first = 0;
  double last = 0;
  for (int thousand = 1; thousand <= kThousands; ++thousand) {
    last = TimeThousand(**journal);
    if (last < 0) return 1;
    if (thousand == 1) first = last;
  }
  std::printf("trials 1..1000: %.1f us each, 9001..10000: %.1f us each, ratio %.2f"
              " (%d trials a commit)\n", first, last, last / first, kBatch);
  return 0;
}

}  // namespace
}  // namespace croq::journal

int main(int argc, char** argv) {
  if (argc > 1) return croq::journal::Main(argv[1]);
  std::string folder = (std::filesystem::temp_directory_path() / "croq-bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const int code = croq::journal::Main(folder);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return code;
}
