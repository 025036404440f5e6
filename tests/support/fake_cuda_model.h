#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

/// The state behind fake_libcuda.cc: a device whose kernels are lines of text and whose time is a
/// counter. A fake, for tests of what the runner does around kernels; it computes nothing.
namespace croq::fake {

/// A "cubin" is text, one kernel a line:
///   kernel <entry> params=8,8,8,4,8,8 ms=0.5 does=ok after=0 threads=1024
/// does: ok; wrong (the next check finds NaN); clobber (the inputs' hash changes); illegal (error
/// 700, sticky); hang (never ends); block (the launch call itself never returns).
/// after: launches that go well before that.
struct Kernel {
  std::string entry;
  std::vector<std::size_t> params;
  double ms = 0.01;
  std::string does = "ok";
  int after = 0;
  int threads = 1024;
  int launches = 0;
};

/// What cuModuleGetFunction gives; the runner's own kernels have a name and no description.
struct Function {
  std::string name;
  Kernel* kernel = nullptr;
};

struct Module {
  std::map<std::string, Kernel> kernels;
  std::deque<Function> functions;  ///< their addresses are the handles
  bool is_ptx = false;             ///< the runner's own kernels: any name is there
};

struct Event {
  double at_ms = 0;
  bool behind_hang = false;
  std::uint32_t gate = 0;  ///< value that the gate must reach before the event is done
};

struct Device {
  std::mutex mutex;
  double now_ms = 0;
  int sticky = 0;  ///< CUresult that every call gives from now on
  bool hung = false;
  bool output_is_wrong = false;
  std::uint64_t clobbered = 0;
  const std::uint32_t* gate = nullptr;
  std::uint32_t gate_value = 0;
};

Device& TheDevice();

Module ParseModule(const std::string& text);

/// Appends a line to the file that CROQ_FAKE_CUDA_LOG names, if it does.
void Log(const std::string& line);

}  // namespace croq::fake
