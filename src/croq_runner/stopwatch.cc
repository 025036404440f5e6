#include "croq_runner/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

namespace croq::runner {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::steady_clock;

/// Launches a batch at most.
constexpr std::size_t kBatch = 32;
constexpr std::size_t kEvents = 2 * kBatch;

/// Queue entries that may wait behind a held stream: the device's launch queue has about a
/// thousand, and a launch call that finds it full waits for an entry to be done, which a held one
/// never is.
constexpr int kHeldEntries = 256;

/// The watchdog comes after the polling, which gives the better answer.
constexpr auto kWatchdogGrace = std::chrono::seconds(2);

steady_clock::duration Millis(double ms) {
  // A deadline of years is as good as none and still fits.
  return duration_cast<steady_clock::duration>(
      std::chrono::duration<double, std::milli>(std::min(ms, 1e11)));
}

/// Opens the gate when it goes out of scope: a held stream behind an error path would hang.
class Gate {
 public:
  explicit Gate(std::function<void()> open) : open_(std::move(open)) {}
  ~Gate() { open_(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

 private:
  std::function<void()> open_;
};

/// Whether one of `turns` has spent what `turn` wants to find prepared.
bool Spent(std::span<const Stopwatch::Turn> turns, const Stopwatch::Turn& turn) {
  return turn.before != nullptr && std::any_of(turns.begin(), turns.end(), [&](const auto& one) {
           return one.set == turn.set;
         });
}

/// The turns of the next batch: as many as a held stream may take, at least one.
std::span<const Stopwatch::Turn> NextBatch(std::span<const Stopwatch::Turn> turns) {
  std::size_t count = 0;
  int entries = 0;
  while (count < std::min(turns.size(), kBatch)) {
    if (Spent(turns.first(count), turns[count]))
      break;
    entries += turns[count].entries + 2;  // and two events
    if (count > 0 && entries > kHeldEntries)
      break;
    ++count;
  }
  return turns.first(count);
}

}  // namespace

Result<std::unique_ptr<Stopwatch>> Stopwatch::Create(const Driver& driver, CUstream stream,
                                                     Watchdog* watchdog) {
  std::unique_ptr<Stopwatch> stopwatch(new Stopwatch(driver, stream, watchdog));
  for (std::size_t i = 0; i < kEvents; ++i) {
    CROQ_ASSIGN(Event event, Event::Create(driver));
    stopwatch->events_.push_back(std::move(event));
  }
  if (driver.StreamWaitValue32 != nullptr) {
    CROQ_ASSIGN(stopwatch->gate_, PinnedBuffer::Create(driver, 64));
    *static_cast<std::uint32_t*>(stopwatch->gate_.get()) = 0;
  }
  return stopwatch;
}

Ran<std::vector<double>> Stopwatch::TimeUnheld(std::span<const Turn> turns,
                                               const LaunchLimits& limits) {
  return TimeBatch(turns, limits, /*hold=*/false);
}

Ran<std::vector<double>> Stopwatch::TimeEach(std::span<const Turn> turns,
                                             const LaunchLimits& limits) {
  return TimeBatch(turns, limits, /*hold=*/true);
}

Ran<std::vector<double>> Stopwatch::TimeBatch(std::span<const Turn> turns,
                                              const LaunchLimits& limits, bool hold) {
  std::vector<double> times;
  while (!turns.empty()) {
    const auto batch = NextBatch(turns);
    turns = turns.subspan(batch.size());
    const double limit_ms = limits.BatchMs(batch.size());
    const SteadyTime deadline = steady_clock::now() + Millis(limit_ms);
    std::optional<Watchdog::Scope> watched;
    if (watchdog_ != nullptr)
      watched.emplace(*watchdog_, deadline + kWatchdogGrace);
    CROQ_TRY(PrepareBatch(batch));
    {
      if (hold && batch.front().entries < kHeldEntries)
        CROQ_TRY(Hold());
      const Gate gate([this] { Release(); });
      CROQ_TRY(QueueBatch(batch));
    }
    if (hold && on_busy_)
      on_busy_();
    CROQ_TRY(Await(2 * batch.size() - 1, deadline, limit_ms));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      CROQ_ASSIGN(const double ms, Between(2 * i, 2 * i + 1));
      times.push_back(ms);
    }
  }
  return times;
}

Ran<void> Stopwatch::PrepareBatch(std::span<const Turn> turns) {
  const Preparation* last = nullptr;
  for (const Turn& turn : turns) {
    if (turn.before == nullptr)
      continue;
    CROQ_TRY(turn.before->restore(turn.set));
    last = turn.before;
  }
  if (last == nullptr || !last->settle)
    return {};
  return last->settle();
}

Ran<void> Stopwatch::QueueBatch(std::span<const Turn> turns) {
  for (std::size_t i = 0; i < turns.size(); ++i) {
    CROQ_TRY(Record(2 * i));
    CROQ_TRY((*turns[i].launch)(turns[i].set));
    CROQ_TRY(Record(2 * i + 1));
  }
  return {};
}

Ran<double> Stopwatch::TimeLoop(const LaunchFunction& launch, int count, int set,
                                const LaunchLimits& limits) {
  const double limit_ms = limits.BatchMs(static_cast<std::size_t>(count));
  const SteadyTime deadline = steady_clock::now() + Millis(limit_ms);
  std::optional<Watchdog::Scope> watched;
  if (watchdog_ != nullptr)
    watched.emplace(*watchdog_, deadline + kWatchdogGrace);
  CROQ_TRY(Record(0));
  for (int i = 0; i < count; ++i) CROQ_TRY(launch(set));
  CROQ_TRY(Record(1));
  if (on_busy_)
    on_busy_();
  CROQ_TRY(Await(1, deadline, limit_ms));
  return Between(0, 1);
}

Ran<std::vector<double>> Stopwatch::TimeLoops(const LaunchFunction& launch, int count, int sets,
                                              double wall_ms, const LaunchLimits& limits) {
  std::vector<double> loops;
  double total_ms = 0;
  int launches = 0;
  const double limit_ms = limits.BatchMs(2 * static_cast<std::size_t>(count));
  CROQ_TRY(Record(0));
  // Loop i lies between events i and i + 1, modulo their number; one loop runs while the next is
  // being queued.
  for (std::size_t queued = 1; total_ms < wall_ms; ++queued) {
    const SteadyTime deadline = steady_clock::now() + Millis(limit_ms);
    std::optional<Watchdog::Scope> watched;
    if (watchdog_ != nullptr)
      watched.emplace(*watchdog_, deadline + kWatchdogGrace);
    for (int i = 0; i < count; ++i) CROQ_TRY(launch(launches++ % sets));
    CROQ_TRY(Record(queued % kEvents));
    if (queued == 1)
      continue;
    if (on_busy_ && queued % 8 == 2)
      on_busy_();
    CROQ_TRY(Await((queued - 1) % kEvents, deadline, limit_ms));
    CROQ_ASSIGN(const double ms, Between((queued - 2) % kEvents, (queued - 1) % kEvents));
    loops.push_back(ms);
    total_ms += ms;
    if (total_ms >= wall_ms)
      CROQ_TRY(Await(queued % kEvents, deadline, limit_ms));
  }
  return loops;
}

Ran<void> Stopwatch::Hold() {
  if (gate_.get() == nullptr)
    return {};
  ++gate_value_;
  // Page-locked memory has one address for host and device (unified addressing).
  const CUresult result = driver_.StreamWaitValue32(
      stream_, reinterpret_cast<CUdeviceptr>(gate_.get()), gate_value_, CU_STREAM_WAIT_VALUE_GEQ);
  if (result == CUDA_ERROR_NOT_SUPPORTED) {
    gate_.Free();
    return {};
  }
  return Checked(driver_, result, "holding the stream");
}

void Stopwatch::Release() {
  if (gate_.get() == nullptr)
    return;
  std::atomic_ref<std::uint32_t>(*static_cast<std::uint32_t*>(gate_.get()))
      .store(gate_value_, std::memory_order_release);
}

Ran<void> Stopwatch::Record(std::size_t event) {
  return Checked(driver_, driver_.EventRecord(events_[event].get(), stream_), "cuEventRecord");
}

Ran<void> Stopwatch::Await(std::size_t event, SteadyTime deadline, double limit_ms) {
  auto pause = microseconds(10);
  while (true) {
    const CUresult result = driver_.EventQuery(events_[event].get());
    if (result != CUDA_ERROR_NOT_READY)
      return Checked(driver_, result, "running the kernel");
    const auto now = steady_clock::now();
    if (now >= deadline)
      break;
    std::this_thread::sleep_for(std::min<steady_clock::duration>(pause, deadline - now));
    pause = std::min(pause * 2, microseconds(200));
  }
  return tl::unexpected<Fault>(
      Fault{Outcome::kTimeout, fmt::format("no end within {:.0f} ms", limit_ms), false});
}

Ran<double> Stopwatch::Between(std::size_t first, std::size_t last) {
  float ms = 0;
  CROQ_TRY(Checked(driver_,
                   driver_.EventElapsedTime(&ms, events_[first].get(), events_[last].get()),
                   "cuEventElapsedTime"));
  return static_cast<double>(ms);
}

}  // namespace croq::runner
