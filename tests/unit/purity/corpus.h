#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "croq/contract/contract.h"
#include "croq/source/purity.h"
#include "support/parsed.h"

/// The files of tests/golden/purity, each with what it expects in its first lines:
///   # expect: reject E102 E306      these codes are among its findings
///   # expect: accept [S103]         no reject; these codes are among its findings
///   # iter: 0                       judged as the baseline
namespace croq::testing {

struct CorpusFile {
  std::string name;
  std::string bytes;
  bool accepted = false;
  std::vector<std::string> codes;
  source::PurityOptions options;
};

inline CorpusFile ReadCorpusFile(const std::filesystem::path& path) {
  CorpusFile file;
  file.name = path.stem().string();
  std::ifstream stream(path, std::ios::binary);
  file.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  std::istringstream lines(file.bytes);
  for (std::string line; std::getline(lines, line) && line.starts_with("# ");) {
    std::istringstream words(line);
    std::string hash;
    std::string key;
    words >> hash >> key;
    if (key == "iter:")
      words >> file.options.iteration;
    if (key != "expect:")
      continue;
    std::string verdict;
    words >> verdict;
    file.accepted = verdict == "accept";
    for (std::string code; words >> code;) file.codes.push_back(code);
  }
  return file;
}

/// Sorted by name.
inline std::vector<CorpusFile> ReadCorpus(const std::string& folder) {
  std::vector<CorpusFile> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(CROQ_SOURCE_DIR "/tests/golden/purity/" + folder))
    files.push_back(ReadCorpusFile(entry.path()));
  std::ranges::sort(files, {}, &CorpusFile::name);
  return files;
}

inline const contract::Contract& TritonContract() {
  static const contract::Contract contract =
      contract::LoadContract(CROQ_SOURCE_DIR "/contracts/triton.toml").value();
  return contract;
}

inline source::PurityReport Check(const std::string& bytes,
                                  const source::PurityOptions& options = {}) {
  const auto reply = nlohmann::json::parse(ParsedReply(bytes));
  if (!reply.at("ok").get<bool>())
    return source::Unparsed(reply.at("message"), reply.at("line"), reply.at("column"));
  const source::SyntaxTree tree =
      source::SyntaxTree::Load(reply.at("tree"), bytes, "x.py").value();
  return source::CheckPurity(tree, source::Names(tree), TritonContract(), options);
}

/// The report as lines, for a failing test's message.
inline std::string Text(const source::PurityReport& report) {
  std::string text;
  for (const source::Finding& finding : report.findings) {
    text += source::FindingLine("x.py", finding);
    if (!finding.chain.empty())
      text += " [" + source::ChainText(finding) + "]";
    text += '\n';
  }
  return text;
}

inline bool Has(const source::PurityReport& report, const std::string& code) {
  return std::ranges::any_of(report.findings,
                             [&](const source::Finding& each) { return each.code == code; });
}

}  // namespace croq::testing
