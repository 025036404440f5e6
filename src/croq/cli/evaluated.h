#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "croq/base/result.h"
#include "croq/protocol/evaluate_messages.h"
#include "croq/source/made_lists.h"
#include "croq/source/outline.h"

namespace croq::backend {
class CaptureClient;
}

namespace croq::cli {

class ScratchFolder;

/// What importing a file showed, beside its outline.
struct EvaluatedFile {
  protocol::EvaluateReply reply;
  /// For each kernel of the outline, its part of the reply; null where there is none.
  std::vector<const protocol::EvaluatedKernel*> by_kernel;
  /// Kernels that only the import shows.
  std::vector<const protocol::EvaluatedKernel*> others;
};

using NamedShape = std::vector<std::pair<std::string, std::int64_t>>;

/// Imports files in a worker that has no GPU, for an H200 that is not there.
class FileEvaluator {
 public:
  static Result<FileEvaluator> Open(const std::string& dsl);
  FileEvaluator(FileEvaluator&&) noexcept;
  FileEvaluator& operator=(FileEvaluator&&) noexcept;
  ~FileEvaluator();

  /// A pruner that fails becomes a warning `pruner` of the outline. What else goes wrong with the
  /// file is in the reply.
  Result<EvaluatedFile> Evaluate(const std::string& path, const NamedShape& shape,
                                 source::Outline& outline);

  /// The configurations as they can be written into the file. Usage error where it can't be
  /// imported.
  Result<std::vector<source::MadeList>> MadeLists(const std::string& path);

 private:
  Result<protocol::EvaluateReply> Import(const std::string& path, const NamedShape& shape);

  FileEvaluator(std::unique_ptr<ScratchFolder> scratch,
                std::unique_ptr<backend::CaptureClient> client);
  std::unique_ptr<ScratchFolder> scratch_;
  std::unique_ptr<backend::CaptureClient> client_;
};

/// For whoever may be asked for configurations that only the import shows: says on stderr that the
/// file is imported.
source::ReadMadeLists ImportWhenAsked(std::string dsl, std::string path);
/// The sentence that says so.
std::string ImportedNote(const std::string& path);

/// The field "evaluated" of a kernel.
nlohmann::json EvaluatedJson(const protocol::EvaluatedKernel& kernel);
/// Its lines below a kernel's.
std::string EvaluatedText(const protocol::EvaluatedKernel& kernel, std::size_t indent);

}  // namespace croq::cli
