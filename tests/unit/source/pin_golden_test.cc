#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "croq/contract/contract.h"
#include "croq/source/pin.h"
#include "croq/source/purity.h"
#include "support/parsed.h"

/// tests/golden/pin: NAME.py says on its first line how it is pinned; NAME.report has the edits and
/// warnings, or the refusal; NAME.pinned.py is the file that comes out. CROQ_UPDATE_GOLDEN=1 writes
/// them anew.
namespace croq::source {
namespace {

const std::filesystem::path kFolder = CROQ_SOURCE_DIR "/tests/golden/pin";

std::optional<std::string> ReadBytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> Cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".py") && !name.ends_with(".pinned.py"))
      names.push_back(name.substr(0, name.size() - 3));
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// What `# croq pin [--kernel NAME] (--config "..." | --index I)` asks for.
PinRequest RequestOf(const std::string& bytes) {
  const std::string line = bytes.substr(0, bytes.find_first_of("\r\n"));
  std::map<std::string, std::string> options;
  const std::regex option("--([a-z]+) (?:\"([^\"]*)\"|(\\S+))");
  for (std::sregex_iterator it(line.begin(), line.end(), option), end; it != end; ++it)
    options[(*it)[1]] = (*it)[2].matched ? (*it)[2] : (*it)[3];
  PinRequest request;
  if (options.count("index") != 0) {
    request.indexes[options["kernel"]] = std::stoul(options["index"]);
    return request;
  }
  request.configs = ParsePinConfigs(options["config"]).value();
  if (options.count("kernel") != 0) {
    auto only = request.configs.extract("");
    only.key() = options["kernel"];
    request.configs.insert(std::move(only));
  }
  return request;
}

std::string ReportOf(const Result<Pinned>& pinned) {
  if (!pinned) return "refused: " + pinned.error().message + "\n";
  std::ostringstream report;
  for (const EditNote& note : pinned->edits)
    report << note.line << ":" << note.column << " " << note.what << "\n";
  for (const std::string& warning : pinned->warnings) report << "warning: " << warning << "\n";
  return report.str();
}

void Check(const std::string& name) {
  SCOPED_TRACE(name);
  const std::string bytes = ReadBytes(kFolder / (name + ".py")).value();
  const SyntaxTree tree = croq::testing::Parsed(bytes, name + ".py");
  const Names names(tree);
  const Result<Pinned> pinned = Pin(tree, names, RequestOf(bytes));
  const std::string report = ReportOf(pinned);
  const auto report_path = kFolder / (name + ".report");
  const auto pinned_path = kFolder / (name + ".pinned.py");
  if (std::getenv("CROQ_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(report_path, std::ios::binary) << report;
    std::filesystem::remove(pinned_path);
    if (pinned) std::ofstream(pinned_path, std::ios::binary) << pinned->source;
    return;
  }
  EXPECT_EQ(report, ReadBytes(report_path).value_or("no such file"));
  EXPECT_EQ(pinned ? std::optional(pinned->source) : std::nullopt, ReadBytes(pinned_path));
  if (!pinned) {
    EXPECT_EQ(pinned.error().kind, ErrorKind::kUsage);
    return;
  }
  // What comes out parses, and has no autotuner but those that the report owns up to.
  const SyntaxTree after = croq::testing::Parsed(pinned->source, "pinned.py");
  const Names after_names(after);
  const bool left = report.find("is left here") != std::string::npos;
  EXPECT_EQ(!AutotuneMentions(after, after_names).empty(), left) << pinned->source;
  static const contract::Contract contract =
      contract::FindContract(CROQ_SOURCE_DIR "/contracts", "triton").value();
  for (const Finding& finding : CheckPurity(after, after_names, contract, {}).findings)
    EXPECT_TRUE(finding.code != "E201" || left) << finding.line << ": " << finding.message;
}

TEST(PinGolden, GivesTheFileAndTheReport) {
  const std::vector<std::string> names = Cases();
  EXPECT_GE(names.size(), 30U);
  for (const std::string& name : names) Check(name);
}

}  // namespace
}  // namespace croq::source
