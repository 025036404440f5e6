#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "croq/backend/python_workers.h"
#include "croq/base/result.h"
#include "croq/source/syntax.h"

/// Source files to syntax trees, through parse workers.
namespace croq::backend {

/// A file as the parser left it. What is wrong with a file is data, not an error.
struct ParsedFile {
  enum class State {
    kParsed,
    kRefused,     ///< not taken: no Python, or too odd to judge
    kUnreadable,  ///< no such file, no permission
  };
  State state = State::kParsed;
  std::string path;
  std::optional<source::SyntaxTree> tree;  ///< of kParsed
  std::string message;                     ///< of the others: why
  int line = 1;                            ///< where; of kRefused
  int column = 0;                          ///< in bytes, from 0
};

/// Reads files on up to `workers` workers, which start when the first file needs them and stay. A
/// file whose worker gives no answer in time is refused and the worker is killed; one whose worker
/// dies is tried once more on a fresh one. Not thread-safe.
class SourceReader {
 public:
  struct Options {
    PythonWorkers python;             ///< any Python that runs croq_worker; it needs no Triton
    std::filesystem::path scratch;    ///< made when it is needed
    int workers = 1;
    std::chrono::milliseconds deadline{2000};  ///< of one file
  };

  explicit SourceReader(Options options);
  SourceReader(SourceReader&&) noexcept;
  SourceReader& operator=(SourceReader&&) noexcept;
  ~SourceReader();

  /// Error: a worker can't be started, or the two sides do not understand one another.
  Result<ParsedFile> Read(const std::filesystem::path& path);
  /// The same for bytes that are not a file's; `path` names them.
  Result<ParsedFile> ReadBytes(const std::string& path, std::string bytes);

  /// Hands over each file, with its index in `paths`, as soon as it is there: not in order.
  using Take = std::function<void(std::size_t index, ParsedFile file)>;
  Status ReadAll(const std::vector<std::filesystem::path>& paths, const Take& take);

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

/// Files above this are refused unread.
inline constexpr std::size_t kMaxSourceBytes = 256 << 10;

}  // namespace croq::backend
