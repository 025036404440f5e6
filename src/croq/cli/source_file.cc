#include "croq/cli/source_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "croq/cli/install_layout.h"
#include "croq/cli/interpreter.h"

namespace croq::cli {
namespace {

Result<source::SyntaxTree> TreeOf(Result<backend::ParsedFile> read) {
  if (!read) return tl::unexpected(std::move(read).error());
  switch (read->state) {
    case backend::ParsedFile::State::kParsed:
      return std::move(*read->tree);
    case backend::ParsedFile::State::kRefused:
      return UsageFailure(fmt::format("{}:{}:{}: {}", read->path, read->line, read->column + 1,
                                      read->message));
    case backend::ParsedFile::State::kUnreadable:
      break;
  }
  return UsageFailure(read->message);
}

}  // namespace

Result<SourceFiles> SourceFiles::Open(const std::string& dsl, std::size_t files) {
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(contract::Contract contract, contract::FindContract(layout.contracts, dsl));
  CROQ_ASSIGN(const PythonChoice python, LocatePython(layout, contract.environment));
  CROQ_ASSIGN(ScratchFolder scratch, ScratchFolder::Make());
  backend::SourceReader::Options options;
  options.python.python = python.path;
  options.python.worker_folder = layout.python;
  options.python.supervisor = layout.supervisor;
  options.scratch = scratch.path();
  constexpr std::size_t kFilesWorthAWorker = 8;  // below that its start costs more than it saves
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  options.workers = static_cast<int>(
      std::clamp((files + kFilesWorthAWorker - 1) / kFilesWorthAWorker, std::size_t{1}, cores));
  return SourceFiles(std::move(contract), std::move(scratch),
                     backend::SourceReader(std::move(options)));
}

Result<source::SyntaxTree> SourceFiles::Read(const std::filesystem::path& path) {
  return TreeOf(reader_.Read(path));
}

Result<source::SyntaxTree> SourceFiles::Parse(const std::string& name, const std::string& bytes) {
  return TreeOf(reader_.ReadBytes(name, bytes));
}

}  // namespace croq::cli
