#include "croq/tune/judge/file_factory.h"

#include <fmt/format.h>

#include <cctype>
#include <regex>
#include <utility>

#include "croq/base/check.h"
#include "croq/base/files.h"
#include "croq/base/hash.h"
#include "croq/model/iteration.h"

namespace croq::tune {
namespace {

constexpr const char* kVariant = "file";
constexpr const char* kSource = "source";
constexpr const char* kEntry = "kernel_fn";
constexpr const char* kNamelessTag = "candidate";
constexpr std::size_t kLongestTag = 31;

std::string FirstReject(const std::string& name, const source::PurityReport& report) {
  for (const source::Finding& finding : report.findings) {
    if (finding.level == source::Level::kReject) return source::FindingLine(name, finding);
  }
  return "";
}

}  // namespace

std::string TagOfFile(const std::filesystem::path& path) {
  static const std::regex kNumber("^(iter[0-9]+|attempt[0-9]+)_");
  std::string tag;
  for (const char c : std::regex_replace(path.stem().string(), kNumber, "")) {
    const auto byte = static_cast<unsigned char>(c);
    const char one = std::isalnum(byte) != 0 && byte < 0x80
                         ? static_cast<char>(std::tolower(byte)) : '_';
    if (one == '_' && (tag.empty() || tag.back() == '_')) continue;
    tag += one;
  }
  tag = tag.substr(0, kLongestTag);
  while (!tag.empty() && tag.back() == '_') tag.pop_back();
  return IsValidTag(tag) ? tag : kNamelessTag;
}

Config FileFactory::Add(CandidateFile file) {
  Config config{kVariant, {{kSource, Fingerprint(file.bytes)}}};
  entries_.insert_or_assign(config.Text(), Entry{std::move(file), {}, {}});
  return config;
}

FileFactory::Entry* FileFactory::Find(const Config& config) const {
  if (config.variant != kVariant) return nullptr;
  const auto found = entries_.find(config.Text());
  CROQ_CHECK(found != entries_.end());
  return &found->second;
}

const source::PurityReport& FileFactory::ReportOn(const Config& config) const {
  const Entry* entry = Find(config);
  CROQ_CHECK(entry != nullptr);
  return entry->report;
}

Status FileFactory::Check(Entry& entry) const {
  CROQ_ASSIGN(const ReadTree read, parts_.reader.Read(entry.file.name, entry.file.bytes));
  if (!read.tree) {
    entry.report = source::Unparsed(read.message, read.line, read.column);
    return {};
  }
  const source::Names names(*read.tree);
  entry.report = source::CheckPurity(*read.tree, names, parts_.contract,
                                     source::PurityOptions{1, {kEntry}});
  return {};
}

Result<operators::Script> FileFactory::Render(const Config& config) const {
  const Entry* entry = Find(config);
  if (entry == nullptr) return parts_.built_in->Render(config);
  return operators::Script{entry->file.tag, entry->file.bytes};
}

Result<operators::Made> FileFactory::Make(const Config& config) const {
  Entry* entry = Find(config);
  if (entry == nullptr) return parts_.built_in->Make(config);
  operators::Made made;
  made.script = {entry->file.tag, entry->file.bytes};
  CROQ_TRY(Check(*entry));
  if (!entry->report.accepted()) {
    made.outcome = Outcome::kRule;
    made.reason = FirstReject(entry->file.name, entry->report);
    return made;
  }
  CROQ_TRY(MakeDirectories(parts_.work));
  made.source = parts_.work / fmt::format("{}_{}.py", entry->file.tag,
                                          ToText(config.values.find(kSource)->second));
  CROQ_TRY(WriteFileAtomic(made.source, entry->file.bytes));
  CROQ_ASSIGN(entry->captured, parts_.capture.Capture(made.source, parts_.shape, nullptr));
  made.outcome = entry->captured.outcome;
  made.reason = entry->captured.reason;
  return made;
}

std::vector<CompileJob> FileFactory::Jobs(const Config& config,
                                          const std::filesystem::path& source) const {
  const Entry* entry = Find(config);
  if (entry == nullptr) return parts_.built_in->Jobs(config, source);
  std::vector<CompileJob> jobs = entry->captured.jobs;
  for (CompileJob& job : jobs) job.source_path = source.string();
  return jobs;
}

LaunchPlan FileFactory::Plan(const Config& config, std::vector<CompiledKernel> kernels) const {
  const Entry* entry = Find(config);
  if (entry == nullptr) return parts_.built_in->Plan(config, std::move(kernels));
  LaunchPlan plan = entry->captured.plan;
  plan.kernels = std::move(kernels);
  return plan;
}

Result<operators::Script> FileFactory::BaselineScript() const {
  return parts_.built_in->BaselineScript();
}

Result<operators::Twin> FileFactory::MakeTwin(const Config& config) const {
  if (Find(config) == nullptr) return parts_.built_in->MakeTwin(config);
  return Failure("a file handed in has no twin: nothing says how to make it smaller");
}

std::string FileFactory::TritonConfig(const Config& config) const {
  return Find(config) == nullptr ? parts_.built_in->TritonConfig(config) : "";
}

}  // namespace croq::tune
