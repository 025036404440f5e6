#pragma once

#include <chrono>
#include <filesystem>
#include <string>

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

class WorkerHostCapture : public tune::HostCapture {
 public:
  /// `device`: what the file's host code may ask of it.
  WorkerHostCapture(const PythonWorkers& workers, const std::filesystem::path& scratch,
                    DeviceFacts device)
      : client_(workers, scratch), device_(std::move(device)) {}

  Result<tune::Captured> Capture(const std::filesystem::path& source, const ShapeKey& shape,
                                 const Problem* problem) override;

  /// Imports the file; usage error where that fails.
  Result<std::vector<source::MadeList>> MadeLists(const std::filesystem::path& source);

 private:
  CaptureClient client_;
  DeviceFacts device_;
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

 private:
  ReferenceClient client_;
  std::string device_;
};

}  // namespace croq::backend
