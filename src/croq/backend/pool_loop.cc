#include "croq/backend/pool_loop.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "croq/process/pipe.h"

namespace croq::backend {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kMaxBarrenStarts = 3;
constexpr milliseconds kLongestSleep{60'000};

}  // namespace

PoolLoop::PoolLoop(const CompilePoolOptions& options, PoolFolders folders, Fd wake,
                   PoolShared& shared)
    : options_(options),
      folders_(std::move(folders)),
      wake_(std::move(wake)),
      shared_(shared),
      deadline_(options.least_deadline, options.most_deadline) {}

void PoolLoop::Run() {
  StartWorkers();
  while (!Stopped()) {
    AssignJobs();
    WaitForEvents();
    for (PoolWorker& worker : workers_) {
      if (Stopped())
        break;
      Handle(worker, worker.Step());
    }
  }
  // All at once, so that the end takes as long as the slowest and not as long as their sum.
  for (PoolWorker& worker : workers_) worker.LetGo();
  workers_.clear();
}

void PoolLoop::StartWorkers() {
  for (int i = 0; i < std::max(options_.workers, 1); ++i) workers_.emplace_back(options_, i);
  for (PoolWorker& worker : workers_) {
    const Status started = worker.Restart();
    if (!started)
      return Fail(started.error());
  }
}

bool PoolLoop::Stopped() {
  const std::lock_guard lock(shared_.mutex);
  return shared_.stop || shared_.fault.has_value();
}

std::optional<PoolJob> PoolLoop::TakeJob() {
  const std::lock_guard lock(shared_.mutex);
  if (shared_.queue.empty())
    return std::nullopt;
  std::optional<PoolJob> job(std::move(shared_.queue.front()));
  shared_.queue.pop_front();
  return job;
}

void PoolLoop::AssignJobs() {
  for (PoolWorker& worker : workers_) {
    if (!worker.Idle())
      continue;
    std::optional<PoolJob> job = worker.retry ? std::exchange(worker.retry, {}) : TakeJob();
    if (job)
      worker.Assign(std::move(*job), deadline_.Current());
  }
}

void PoolLoop::WaitForEvents() {
  std::vector<pollfd> items{{wake_.get(), POLLIN, 0}};
  SteadyTime until = steady_clock::now() + kLongestSleep;
  for (const PoolWorker& worker : workers_) {
    if (worker.process() == nullptr)
      continue;
    items.push_back({worker.process()->reply_fd(), POLLIN, 0});
    items.push_back({worker.process()->output_fd(), POLLIN, 0});
    if (!worker.Idle())
      until = std::min(until, worker.deadline());
  }
  ::poll(items.data(), items.size(), process::PollMillis(until));
  char bytes[256];
  while (::read(wake_.get(), bytes, sizeof bytes) > 0) {
  }
}

void PoolLoop::Handle(PoolWorker& worker, PoolEvent event) {
  switch (event.kind) {
    case PoolEvent::Kind::kNothing:
    case PoolEvent::Kind::kReady:
      return;
    case PoolEvent::Kind::kReply:
      return OnReply(worker, std::move(event));
    case PoolEvent::Kind::kRefused:
      return OnRefused(worker, std::move(event));
    case PoolEvent::Kind::kLost:
      return OnLost(worker, std::move(event));
  }
}

void PoolLoop::OnReply(PoolWorker& worker, PoolEvent event) {
  worker.barren_starts = 0;
  deadline_.Observe(event.took);
  const bool retire = event.reply.retire;
  Deliver(FinishReply(folders_, std::move(event)));
  if (retire)
    Replace(worker);
}

void PoolLoop::OnRefused(PoolWorker& worker, PoolEvent event) {
  // A defect between engine and worker. The session goes on without this candidate.
  event.job->log += event.output;
  Deliver(FinishFailed(folders_, *event.job, Outcome::kCompile,
                       "the compile worker failed: " + event.reason));
  Replace(worker);
}

void PoolLoop::OnLost(PoolWorker& worker, PoolEvent event) {
  if (!event.job) {
    if (++worker.barren_starts >= kMaxBarrenStarts) {
      return Fail({ErrorKind::kFatal,
                   fmt::format("the compile worker ({}) does not start, {} times in a row: {}. "
                               "`croq doctor` checks the interpreter and its packages",
                               options_.python.python.string(), kMaxBarrenStarts,
                               WithLastWords(event.reason, event.output))});
    }
    return Replace(worker);
  }
  PoolJob job = std::move(*event.job);
  ++job.failures;
  job.log += fmt::format("[compile worker {}: {}]\n{}\n", job.failures, event.reason, event.output);
  if (job.failures < 2) {
    worker.retry = std::move(job);
  } else if (event.timed_out) {
    Deliver(FinishFailed(folders_, job, Outcome::kTimeout,
                         event.reason + ", on a second, fresh worker too"));
  } else {
    Deliver(FinishFailed(
        folders_, job, Outcome::kCompile,
        fmt::format("the compiler was {} on it, on a second, fresh worker too", event.reason)));
  }
  Replace(worker);
}

void PoolLoop::Replace(PoolWorker& worker) {
  {
    const std::lock_guard lock(shared_.mutex);
    ++shared_.replacements;
  }
  const Status started = worker.Restart();
  if (!started)
    Fail(started.error());
}

void PoolLoop::Deliver(Result<tune::BuildResult> result) {
  if (!result)
    return Fail(result.error());
  const std::lock_guard lock(shared_.mutex);
  shared_.results.push_back(std::move(*result));
  shared_.changed.notify_all();
}

void PoolLoop::Fail(Error error) {
  const std::lock_guard lock(shared_.mutex);
  if (!shared_.fault)
    shared_.fault = std::move(error);
  shared_.changed.notify_all();
}

}  // namespace croq::backend
