// What reading an export costs: megabytes a second of one core, for the table alone and for all of
// a verdict. Arguments: the benchmark library's; see docs/benchmarks.md.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <string>

#include "croq/profile/report.h"

namespace {

std::string ReadText(const std::string& name) {
  std::ifstream in(std::string(CROQ_SOURCE_DIR) + "/tests/golden/ncu/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The file's header and units row, and its launches again and again up to about this size.
std::string Repeated(const std::string& name, std::size_t head_lines, std::size_t bytes) {
  const std::string text = ReadText(name);
  std::size_t head = 0;
  for (std::size_t i = 0; i < head_lines; ++i) head = text.find('\n', head) + 1;
  std::string out = text.substr(0, head);
  while (out.size() < bytes) out.append(text, head);
  return out;
}

constexpr std::size_t kBytes = std::size_t{16} << 20;

void Read(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    auto exported = croq::profile::ReadExport(text, "bench.csv");
    if (!exported)
      state.SkipWithError(exported.error().message.c_str());
    benchmark::DoNotOptimize(exported);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void BM_RawPage(benchmark::State& state) {
  static const std::string kText = Repeated("six_kernels_raw.csv", 2, kBytes);
  Read(state, kText);
}
BENCHMARK(BM_RawPage)->Unit(benchmark::kMillisecond);

void BM_DetailsPage(benchmark::State& state) {
  static const std::string kText = Repeated("mm_details_base.csv", 1, kBytes);
  Read(state, kText);
}
BENCHMARK(BM_DetailsPage)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
