#pragma once

#include <chrono>
#include <filesystem>
#include <future>
#include <string>

#include "croq/backend/capture_pool.h"
#include "croq/backend/script_workers.h"
#include "croq/backend/source_reader.h"
#include "croq/model/device.h"
#include "croq/source/made_lists.h"
#include "croq/tune/brought/host_steps.h"

/// What a brought file needs of the Python workers.
namespace croq::backend {

class WorkerTreeReader : public tune::TreeReader {
 public:
  WorkerTreeReader(const PythonWorkers& workers, const std::filesystem::path& scratch)
      : reader_({workers, scratch, 1, std::chrono::milliseconds(2000)}) {}

  Result<tune::ReadTree> Read(const std::string& path, std::string bytes) override;

 private:
  SourceReader reader_;
};

/// Captures with some workers, which start at once.
class WorkerHostCapture : public tune::HostCapture {
 public:
  /// `device`: what the file's host code may ask of it.
  WorkerHostCapture(const PythonWorkers& workers, const std::filesystem::path& scratch,
                    DeviceFacts device, int count = 1)
      : device_(std::move(device)), pool_(workers, scratch, count) {}

  Result<tune::Captured> Capture(const std::filesystem::path& source, const ShapeKey& shape,
                                 const Problem* problem) override;
  std::shared_future<Result<tune::Captured>> Start(const std::filesystem::path& source,
                                                   const ShapeKey& shape,
                                                   const Problem* problem) override;
  /// Enough that no worker waits for the next one.
  int Room() const override { return 4 * pool_.Count(); }

  /// Imports the file; usage error where that fails.
  Result<std::vector<source::MadeList>> MadeLists(const std::filesystem::path& source);

 private:
  DeviceFacts device_;
  CapturePool pool_;
};

class WorkerReferenceRunner : public tune::ReferenceRunner {
 public:
  /// `device`: cpu or cuda:N, as the worker sees it.
  WorkerReferenceRunner(const PythonWorkers& workers, const std::filesystem::path& scratch,
                        std::string device)
      : client_(workers, scratch, device), device_(std::move(device)) {}

  Result<tune::ReferenceRun> Run(const std::filesystem::path& source, const Problem& problem,
                                 const std::filesystem::path& inputs,
                                 const std::filesystem::path& outputs, bool time) override;

  /// Starts the worker without waiting for it.
  void Begin() { client_.Begin(); }

 private:
  ReferenceClient client_;
  std::string device_;
};

}  // namespace croq::backend
