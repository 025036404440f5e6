// How fast are files judged by the purity rule? Writes files of 200 lines (1,000 of them), reads each
// through warm parse workers and judges it; prints files a second, the CPU time of this program and
// its workers together (which other programs on the machine hardly change), and where it went.
//   check_throughput [FILES] [WORKERS]      CROQ_PYTHON names the interpreter; python3 otherwise
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "croq/backend/purity_check.h"
#include "croq/base/clock.h"
#include "croq/base/files.h"
#include "croq/process/siblings.h"

namespace croq::backend {
namespace {

constexpr int kLines = 200;

// A kernel and its launcher; every number is another in each copy.
constexpr const char* kPart = R"(

@triton.jit
def kernel_{0}(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c,
               BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        rest = K - k * BLOCK_K
        a = tl.load(a_ptr + rows[:, None] * stride_a + (k * BLOCK_K + offs_k)[None, :],
                    mask=offs_k[None, :] < rest, other=0.0)
        b = tl.load(b_ptr + (k * BLOCK_K + offs_k)[:, None] * stride_b + columns[None, :],
                    mask=offs_k[:, None] < rest, other=0.0)
        acc = tl.dot(a, b, acc)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * stride_c + columns[None, :], acc.to(tl.float16), mask=mask)


def launch_{0}(a, b):
    assert a.is_contiguous() and b.is_contiguous(), f"row-major: {{a.stride()}}, {{b.stride()}}"
    m, k = a.shape
    n = b.shape[1]
    c = torch.empty((m, n), device=a.device, dtype=a.dtype)
    grid = lambda meta: (triton.cdiv(m, meta["BLOCK_M"]), triton.cdiv(n, meta["BLOCK_N"]))
    kernel_{0}[grid](a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0),
                     BLOCK_M=64, BLOCK_N=128, BLOCK_K=32, num_warps=4, num_stages=3)
    return c


def verify_{0}():
    a = torch.randn(({0} + 64, 64), device="cuda", dtype=torch.float16)
    b = torch.randn((64, {0} + 128), device="cuda", dtype=torch.float16)
    error = (launch_{0}(a, b).float() - a.float() @ b.float()).abs().max().item()
    print("VERIFY: PASS" if error < 1e-2 else f"VERIFY: FAIL max_abs_err={{error}}")
)";

std::string MakeSource(int seed) {
  std::string text = "import torch\nimport triton\nimport triton.language as tl\n";
  const auto lines = [&] { return std::count(text.begin(), text.end(), '\n'); };
  const auto part_lines = std::count(kPart, kPart + std::string_view(kPart).size(), '\n');
  for (int part = 0; lines() + part_lines <= kLines; ++part)
    text += fmt::format(kPart, seed * 10 + part);
  while (lines() < kLines) text += fmt::format("CONSTANT_{0} = {0} * 2 + {1}\n", lines(), seed);
  return text;
}

int Fail(const std::string& why) {
  fmt::print(stderr, "check_throughput: {}\n", why);
  return 1;
}

/// CPU time, user and system, of this process and all below it, in seconds.
double CpuSeconds() {
  std::map<long, std::pair<long, double>> processes;  // parent and time, by process
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    std::ifstream file(entry.path() / "stat");
    std::string line;
    if (name.find_first_not_of("0123456789") != std::string::npos || !std::getline(file, line))
      continue;
    // After the command in parentheses: state, parent, ..., and from the 14th field on user, system.
    std::istringstream rest(line.substr(line.rfind(')') + 2));
    const std::vector<std::string> words{std::istream_iterator<std::string>(rest), {}};
    const double ticks = std::stod(words.at(11)) + std::stod(words.at(12));
    processes[std::stol(name)] = {std::stol(words.at(1)), ticks / sysconf(_SC_CLK_TCK)};
  }
  double seconds = 0;
  for (const auto& [process, facts] : processes) {
    long above = process;
    while (above > 1 && above != getpid() && processes.contains(above)) above = processes[above].first;
    seconds += above == getpid() ? facts.second : 0;
  }
  return seconds;
}

struct Times {
  double rules = 0;  // seconds
  std::size_t rejected = 0;
  std::size_t refused = 0;
};

Result<Times> CheckAll(SourceReader& reader, const std::vector<std::filesystem::path>& paths,
                       const contract::Contract& contract) {
  Times times;
  CROQ_TRY(reader.ReadAll(paths, [&](std::size_t, ParsedFile file) {
    const SteadyTime start = std::chrono::steady_clock::now();
    times.refused += file.tree ? 0 : 1;
    times.rejected += ReportOn(file, contract, {}).accepted() ? 0 : 1;
    times.rules += SecondsSince(start);
  }));
  return times;
}

int Run(int files, int workers, const std::filesystem::path& folder) {
  const std::filesystem::path source = CROQ_SOURCE_DIR;
  const auto contract = contract::LoadContract(source / "contracts" / "triton.toml");
  if (!contract) return Fail(contract.error().message);
  const auto supervisor = process::FindSibling("croq-supervisor");
  if (!supervisor) return Fail(supervisor.error().message);
  SourceReader::Options options;
  const char* python = std::getenv("CROQ_PYTHON");
  options.python.python = python != nullptr ? python : "/usr/bin/python3";
  options.python.supervisor = *supervisor;
  options.python.worker_folder = source / "python";
  options.scratch = folder / "scratch";
  options.workers = workers;
  std::vector<std::filesystem::path> paths;
  for (int index = 0; index < files; ++index) {
    paths.push_back(folder / fmt::format("k{}.py", index));
    if (const Status written = WriteFile(paths.back(), MakeSource(index)); !written)
      return Fail(written.error().message);
  }
  SourceReader reader(options);
  // The workers start here; what is timed finds them warm.
  const std::vector<std::filesystem::path> few(
      paths.begin(), paths.begin() + std::min<long>(files, 4L * workers));
  if (const auto warm = CheckAll(reader, few, *contract); !warm) return Fail(warm.error().message);
  const double cpu_before = CpuSeconds();
  const SteadyTime start = std::chrono::steady_clock::now();
  const auto times = CheckAll(reader, paths, *contract);
  if (!times) return Fail(times.error().message);
  const double wall = SecondsSince(start);
  const double cpu = CpuSeconds() - cpu_before;
  fmt::print("{} files of {} lines, {} workers: {:.2f} s, {:.0f} files/s\n", files, kLines, workers,
             wall, files / wall);
  fmt::print("  CPU time: {:.2f} s ({:.2f} ms a file), half of it on each of 2 cores: {:.2f} s\n", cpu,
             1e3 * cpu / files, cpu / 2);
  fmt::print("  rules and names: {:.2f} s ({:.2f} ms a file)\n", times->rules,
             1e3 * times->rules / files);
  fmt::print("  waiting for parsers and reading trees: {:.2f} s\n", wall - times->rules);
  if (times->rejected + times->refused > 0)
    return Fail(fmt::format("{} files were rejected, {} of them unread", times->rejected,
                            times->refused));
  return 0;
}

}  // namespace
}  // namespace croq::backend

int main(int argc, char** argv) {
  const int files = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int workers = argc > 2 ? std::atoi(argv[2]) : 2;
  std::string folder = (std::filesystem::temp_directory_path() / "croq_check.XXXXXX").string();
  if (files < 1 || workers < 1 || ::mkdtemp(folder.data()) == nullptr) {
    std::fprintf(stderr, "usage: check_throughput [FILES] [WORKERS]\n");
    return 2;
  }
  const int code = croq::backend::Run(files, workers, folder);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return code;
}
