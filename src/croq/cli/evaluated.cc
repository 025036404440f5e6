#include "croq/cli/evaluated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "croq/backend/made_lists.h"
#include "croq/backend/script_workers.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/interpreter.h"
#include "croq/cli/scratch_folder.h"
#include "croq/contract/contract.h"

namespace croq::cli {
namespace {

using protocol::EvaluatedKernel;

constexpr int kEvaluatedFor = 90;  // sm90, an H200
constexpr double kTimeoutSeconds = 60;

void MatchKernels(const source::Outline& outline, EvaluatedFile& file) {
  file.by_kernel.assign(outline.kernels.size(), nullptr);
  std::vector<bool> taken(file.reply.kernels.size());
  for (const bool by_name : {true, false}) {  // several tuners of one function differ by name
    for (std::size_t k = 0; k < outline.kernels.size(); ++k) {
      const source::KernelInfo& kernel = outline.kernels[k];
      for (std::size_t i = 0; i < taken.size() && file.by_kernel[k] == nullptr; ++i) {
        const EvaluatedKernel& evaluated = file.reply.kernels[i];
        const bool named = evaluated.name == kernel.qualified_name;
        if (taken[i] || kernel.autotune == nullptr || named != by_name ||
            !source::IsDefinedAt(*kernel.definition, evaluated.function, evaluated.line))
          continue;
        file.by_kernel[k] = &evaluated;
        taken[i] = true;
      }
    }
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i])
      file.others.push_back(&file.reply.kernels[i]);
  }
}

void AddPrunerWarnings(const EvaluatedFile& file, source::Outline& outline) {
  for (std::size_t k = 0; k < outline.kernels.size(); ++k) {
    const source::KernelInfo& kernel = outline.kernels[k];
    if (file.by_kernel[k] == nullptr || file.by_kernel[k]->problem.empty())
      continue;
    const source::Setting* pruner = kernel.autotune->Prune("early_config_prune");
    const source::Node& at = pruner == nullptr ? *kernel.autotune->call : *pruner->node;
    outline.warnings.push_back({"pruner", at.span.line, at.span.column, kernel.qualified_name,
                                kernel.name + ": " + file.by_kernel[k]->problem});
  }
  std::stable_sort(outline.warnings.begin(), outline.warnings.end(),
                   [](const auto& one, const auto& other) {
                     return std::pair(one.line, one.column) < std::pair(other.line, other.column);
                   });
}

}  // namespace

FileEvaluator::FileEvaluator(std::unique_ptr<ScratchFolder> scratch,
                             std::unique_ptr<backend::CaptureClient> client)
    : scratch_(std::move(scratch)), client_(std::move(client)) {}
FileEvaluator::FileEvaluator(FileEvaluator&&) noexcept = default;
FileEvaluator& FileEvaluator::operator=(FileEvaluator&&) noexcept = default;
FileEvaluator::~FileEvaluator() = default;

Result<FileEvaluator> FileEvaluator::Open(const std::string& dsl) {
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(const contract::Contract contract, contract::FindContract(layout.contracts, dsl));
  CROQ_ASSIGN(const PythonChoice python, LocatePython(layout, contract.environment));
  CROQ_ASSIGN(ScratchFolder made, ScratchFolder::Make());
  auto scratch = std::make_unique<ScratchFolder>(std::move(made));
  backend::PythonWorkers workers;
  workers.python = python.path;
  workers.worker_folder = layout.python;
  workers.supervisor = layout.supervisor;
  auto client = std::make_unique<backend::CaptureClient>(workers, scratch->path());
  return FileEvaluator(std::move(scratch), std::move(client));
}

Result<protocol::EvaluateReply> FileEvaluator::Import(const std::string& path,
                                                      const NamedShape& shape) {
  protocol::EvaluateRequest request;
  std::error_code ignored;
  request.source = std::filesystem::absolute(path, ignored).string();
  request.shape = {shape.begin(), shape.end()};
  CROQ_ASSIGN(request.device, OfflineDevice(kEvaluatedFor));
  request.timeout_s = kTimeoutSeconds;
  return client_->Evaluate(request);
}

Result<EvaluatedFile> FileEvaluator::Evaluate(const std::string& path, const NamedShape& shape,
                                              source::Outline& outline) {
  EvaluatedFile file;
  CROQ_ASSIGN(file.reply, Import(path, shape));
  MatchKernels(outline, file);
  AddPrunerWarnings(file, outline);
  return file;
}

Result<std::vector<source::MadeList>> FileEvaluator::MadeLists(const std::string& path) {
  CROQ_ASSIGN(const protocol::EvaluateReply reply, Import(path, {}));
  return backend::ToMadeLists(path, reply);
}

std::string ImportedNote(const std::string& path) {
  return fmt::format("{} is imported, in a process without GPU and network: it makes configurations "
                     "when it runs", path);
}

source::ReadMadeLists ImportWhenAsked(std::string dsl, std::string path) {
  return [dsl = std::move(dsl), path = std::move(path)]() -> Result<std::vector<source::MadeList>> {
    fmt::print(stderr, "croq: {}\n", ImportedNote(path));
    CROQ_ASSIGN(FileEvaluator evaluator, FileEvaluator::Open(dsl));
    return evaluator.MadeLists(path);
  };
}

}  // namespace croq::cli
