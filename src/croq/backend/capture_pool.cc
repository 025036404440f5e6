#include "croq/backend/capture_pool.h"

#include <string>
#include <utility>

namespace croq::backend {

CapturePool::CapturePool(const PythonWorkers& workers, const std::filesystem::path& scratch,
                         int count) {
  for (int i = 0; i < count; ++i) {
    clients_.push_back(std::make_unique<CaptureClient>(workers, scratch / std::to_string(i)));
    clients_.back()->Begin();
  }
  for (const auto& client : clients_)
    threads_.emplace_back([this, &client = *client] { Serve(client); });
}

CapturePool::~CapturePool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    jobs_.clear();
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void CapturePool::Submit(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
}

void CapturePool::Serve(CaptureClient& client) {
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
      if (ending_)
        return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job(client);
  }
}

}  // namespace croq::backend
