#include "croq/backend/compile_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "croq/backend/pool_loop.h"
#include "croq/base/clock.h"
#include "croq/base/files.h"
#include "croq/process/pipe.h"

namespace croq::backend {

class CompilePool::Impl {
 public:
  Impl(const CompilePoolOptions& options, PoolFolders folders, process::Pipe wake)
      : workers_(std::max(options.workers, 1)),
        wake_(std::move(wake.write)),
        loop_(options, std::move(folders), std::move(wake.read), shared_),
        thread_([this] { loop_.Run(); }) {}

  ~Impl() {
    {
      const std::lock_guard lock(shared_.mutex);
      shared_.stop = true;
    }
    Wake();
    thread_.join();
  }

  int workers() const { return workers_; }

  Status Submit(std::int64_t ticket, CompileJob job) {
    {
      const std::lock_guard lock(shared_.mutex);
      if (shared_.fault)
        return tl::unexpected(*shared_.fault);
      PoolJob entry;
      entry.ticket = ticket;
      entry.id = ++last_id_;
      entry.job = std::move(job);
      shared_.queue.push_back(std::move(entry));
      ++shared_.pending;
    }
    Wake();
    return {};
  }

  Result<std::optional<tune::BuildResult>> Next(std::chrono::milliseconds wait) {
    std::unique_lock lock(shared_.mutex);
    shared_.changed.wait_for(lock, wait,
                             [this] { return !shared_.results.empty() || shared_.fault; });
    // Results that were there before the fault are still good.
    if (!shared_.results.empty()) {
      tune::BuildResult result = std::move(shared_.results.front());
      shared_.results.pop_front();
      --shared_.pending;
      return std::optional<tune::BuildResult>(std::move(result));
    }
    if (shared_.fault)
      return tl::unexpected(*shared_.fault);
    return std::nullopt;
  }

  int Pending() const {
    const std::lock_guard lock(shared_.mutex);
    return shared_.pending;
  }

  int Replacements() const {
    const std::lock_guard lock(shared_.mutex);
    return shared_.replacements;
  }

 private:
  /// The loop drains the pipe; a full one wakes it just as well.
  void Wake() { (void)process::WriteAllBefore(wake_, "w", SteadyTime()); }

  const int workers_;
  std::int64_t last_id_ = 0;
  mutable PoolShared shared_;
  Fd wake_;
  PoolLoop loop_;
  std::thread thread_;
};

CompilePool::CompilePool(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CompilePool::~CompilePool() = default;

Result<std::unique_ptr<CompilePool>> CompilePool::Start(const CompilePoolOptions& wanted) {
  CompilePoolOptions options = wanted;
  std::error_code ignored;
  options.work_folder = std::filesystem::absolute(wanted.work_folder, ignored);
  PoolFolders folders;
  folders.cubins = options.work_folder / "cubins";
  folders.logs = options.work_folder / "logs";
  folders.log_prefix = fmt::format("compile-{}", UnixMillis());
  std::filesystem::remove_all(options.work_folder / "workers", ignored);
  CROQ_TRY(MakeDirectories(folders.cubins));
  CROQ_TRY(MakeDirectories(folders.logs));
  CROQ_ASSIGN(process::Pipe wake, process::MakePipe());
  CROQ_TRY(process::SetNonBlocking(wake.read));
  CROQ_TRY(process::SetNonBlocking(wake.write));
  auto impl = std::make_unique<Impl>(options, std::move(folders), std::move(wake));
  return std::unique_ptr<CompilePool>(new CompilePool(std::move(impl)));
}

int CompilePool::Capacity() const {
  return 2 * impl_->workers();
}
int CompilePool::Pending() const {
  return impl_->Pending();
}
int CompilePool::Replacements() const {
  return impl_->Replacements();
}

Status CompilePool::Submit(std::int64_t ticket, CompileJob job) {
  return impl_->Submit(ticket, std::move(job));
}

Result<std::optional<tune::BuildResult>> CompilePool::Next(std::chrono::milliseconds wait) {
  return impl_->Next(wait);
}

}  // namespace croq::backend
