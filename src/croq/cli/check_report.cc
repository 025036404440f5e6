#include "croq/cli/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/cli/app.h"

namespace croq::cli {
namespace {

using nlohmann::json;
using source::Finding;
using source::Level;

std::size_t Count(const CheckedFile& file, Level level) {
  const auto& findings = file.report.findings;
  return static_cast<std::size_t>(std::ranges::count(findings, level, &Finding::level));
}

/// `2 rejects, 1 suspicion`; nothing of what there is none of.
std::string Counts(const CheckedFile& file) {
  std::string text;
  const auto add = [&](Level level, const char* one, const char* many) {
    const std::size_t count = Count(file, level);
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
  };
  add(Level::kReject, "reject", "rejects");
  add(Level::kSuspect, "suspicion", "suspicions");
  add(Level::kNote, "note", "notes");
  return text;
}

}  // namespace

int ExitCodeOf(const std::vector<CheckedFile>& files) {
  int code = kExitDone;
  for (const CheckedFile& file : files) {
    if (file.unreadable)
      return kExitUsage;
    if (!file.report.accepted())
      code = kExitFatal;
  }
  return code;
}

std::string CheckText(const CheckedFile& file) {
  std::string text;
  for (const Finding& finding : file.report.findings) {
    text += source::FindingLine(file.path, finding) + "\n";
    if (!finding.chain.empty())
      text += fmt::format("    in {}\n", source::ChainText(finding));
    if (finding.level != Level::kNote)
      text += fmt::format("    mend: {}\n", finding.mend);
  }
  const std::string counts = Counts(file);
  return text + fmt::format("{}: {}{}\n", file.path,
                            file.report.accepted() ? "accepted" : "rejected",
                            counts.empty() ? "" : " (" + counts + ")");
}

json FindingJson(const Finding& finding) {
  json chain = json::array();
  for (const source::ChainStep& step : finding.chain)
    chain.push_back({{"name", step.name}, {"line", step.line}, {"column", step.column + 1}});
  return {{"code", finding.code},
          {"level", source::NameOf(finding.level)},
          {"line", finding.line},
          {"column", finding.column + 1},
          {"chain", std::move(chain)},
          {"message", finding.message},
          {"mend", finding.mend}};
}

json CheckJson(const std::vector<CheckedFile>& files, int iteration) {
  json out{{"format", 1}, {"iteration", iteration}, {"files", json::array()}};
  for (const CheckedFile& file : files) {
    json entry{{"path", file.path}};
    if (file.unreadable) {
      entry["error"] = *file.unreadable;
      out["files"].push_back(std::move(entry));
      continue;
    }
    entry["accepted"] = file.report.accepted();
    entry["findings"] = json::array();
    for (const Finding& finding : file.report.findings) {
      json& one = entry["findings"].emplace_back(FindingJson(finding));
      one["title"] = source::FindCode(finding.code)->title;
    }
    out["files"].push_back(std::move(entry));
  }
  out["accepted"] = ExitCodeOf(files) == kExitDone;
  return out;
}

}  // namespace croq::cli
