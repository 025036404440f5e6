#include "croq/cli/source_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "croq/base/files.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/interpreter.h"

namespace croq::cli {

Result<SourceFiles> SourceFiles::Open(const std::string& dsl) {
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(contract::Contract contract, contract::FindContract(layout.contracts, dsl));
  CROQ_ASSIGN(const PythonChoice python, LocatePython(layout, contract.environment));
  CROQ_ASSIGN(ScratchFolder scratch, ScratchFolder::Make());
  backend::PythonWorkers workers;
  workers.python = python.path;
  workers.worker_folder = layout.python;
  workers.supervisor = layout.supervisor;
  auto client = std::make_unique<backend::ParseClient>(workers, scratch.path());
  return SourceFiles(std::move(contract), std::move(scratch), std::move(client));
}

Result<source::SyntaxTree> SourceFiles::Read(const std::filesystem::path& path) {
  const auto bytes = ReadFile(path);
  if (!bytes) return UsageFailure(bytes.error().message);
  return Parse(path.string(), *bytes);
}

Result<source::SyntaxTree> SourceFiles::Parse(const std::string& name, const std::string& bytes) {
  CROQ_ASSIGN(const protocol::ParseReply reply, client_->Parse(name, bytes));
  if (!reply.ok) {
    return UsageFailure(reply.line > 0 ? fmt::format("{}:{}:{}: {}", name, reply.line,
                                                     reply.column + 1, reply.message)
                                       : fmt::format("{}: {}", name, reply.message));
  }
  return source::SyntaxTree::Load(*reply.tree, bytes, name);
}

}  // namespace croq::cli
