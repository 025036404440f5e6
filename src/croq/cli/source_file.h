#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "croq/backend/source_reader.h"
#include "croq/base/result.h"
#include "croq/cli/scratch_folder.h"
#include "croq/contract/contract.h"
#include "croq/source/syntax.h"

namespace croq::cli {

/// Reads Python files for a command: finds the interpreter, keeps one worker. Nothing of a file is
/// run.
class SourceFiles {
 public:
  /// `files`: how many are going to be read; that decides how many workers there are.
  static Result<SourceFiles> Open(const std::string& dsl, std::size_t files = 1);

  /// Usage error `file:line:column: reason` where the file can't be read or is no Python.
  Result<source::SyntaxTree> Read(const std::filesystem::path& path);
  /// The same of bytes; `name` stands for the file in messages.
  Result<source::SyntaxTree> Parse(const std::string& name, const std::string& bytes);

  /// All of them, each as soon as it is there; what is wrong with a file is data.
  Status ReadAll(const std::vector<std::filesystem::path>& paths,
                 const backend::SourceReader::Take& take) {
    return reader_.ReadAll(paths, take);
  }

  const contract::Contract& contract() const { return contract_; }

 private:
  SourceFiles(contract::Contract contract, ScratchFolder scratch,
              backend::SourceReader reader)
      : contract_(std::move(contract)), scratch_(std::move(scratch)), reader_(std::move(reader)) {}

  contract::Contract contract_;
  ScratchFolder scratch_;
  backend::SourceReader reader_;  // after the folder that it works in
};

}  // namespace croq::cli
