#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "croq/cli/app.h"
#include "croq/cli/check_report.h"
#include "croq/protocol/version.h"

namespace croq::cli {
namespace {

using nlohmann::json;
using source::CodeFacts;
using source::Finding;
using source::Level;

const char* SarifLevel(Level level) {
  switch (level) {
    case Level::kReject:
      return "error";
    case Level::kSuspect:
      return "warning";
    case Level::kNote:
      break;
  }
  return "note";
}

/// A path as the reference part of a URI (RFC 3986); absolute ones become file: URIs.
std::string UriOf(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  constexpr std::string_view kPlain = "/-._~!$&'()*+,;=@";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || kPlain.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", byte);
  }
  return uri;
}

json Rules() {
  json rules = json::array();
  for (const CodeFacts& code : source::FindingCodes()) {
    rules.push_back({{"id", code.code},
                     {"shortDescription", {{"text", code.title}}},
                     {"help", {{"text", code.mend}}},
                     {"defaultConfiguration", {{"level", SarifLevel(code.level())}}}});
  }
  return rules;
}

/// Characters before a byte of a line, plus one: SARIF counts characters, from 1.
int CharacterColumn(const std::string& line, int bytes) {
  const std::size_t end = std::min(line.size(), static_cast<std::size_t>(std::max(bytes, 0)));
  return 1 + static_cast<int>(std::count_if(line.begin(), line.begin() + static_cast<long>(end),
                                            [](char c) { return (c & 0xC0) != 0x80; }));
}

json LocationOf(const std::string& path, int line, int column) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", UriOf(path)}}},
            {"region", {{"startLine", line}, {"startColumn", column}}}}}};
}

json ResultOf(const CheckedFile& file, const Finding& finding, const std::string& line) {
  const auto codes = source::FindingCodes();
  const auto rule = std::ranges::find(codes, finding.code, &CodeFacts::code);
  json result{
      {"ruleId", finding.code},
      {"ruleIndex", rule - codes.begin()},
      {"level", SarifLevel(finding.level)},
      {"message", {{"text", fmt::format("{}. {}", finding.message, finding.mend)}}},
      {"locations", json::array({LocationOf(file.path, finding.line,
                                            CharacterColumn(line, finding.column))})}};
  json related = json::array();
  for (std::size_t index = 0; index < finding.chain.size(); ++index) {
    const source::ChainStep& step = finding.chain[index];
    json location = LocationOf(file.path, step.line, step.column + 1);
    location["id"] = index;
    location["message"] = {{"text", step.name}};
    related.push_back(std::move(location));
  }
  if (!related.empty())
    result["relatedLocations"] = std::move(related);
  return result;
}

}  // namespace

json CheckSarif(const std::vector<CheckedFile>& files) {
  json results = json::array();
  json troubles = json::array();
  for (const CheckedFile& file : files) {
    if (file.unreadable)
      troubles.push_back({{"level", "error"}, {"message", {{"text", *file.unreadable}}}});
    for (std::size_t index = 0; index < file.report.findings.size(); ++index) {
      const std::string line = index < file.lines.size() ? file.lines[index] : "";
      results.push_back(ResultOf(file, file.report.findings[index], line));
    }
  }
  const json driver{{"name", "croq"}, {"version", protocol::kCroqVersion}, {"rules", Rules()}};
  const json invocation{{"executionSuccessful", troubles.empty()},
                        {"exitCode", ExitCodeOf(files)},
                        {"toolExecutionNotifications", troubles}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::array({{{"tool", {{"driver", driver}}},
                                 {"columnKind", "unicodeCodePoints"},
                                 {"invocations", json::array({invocation})},
                                 {"results", results}}})}};
}

}  // namespace croq::cli
