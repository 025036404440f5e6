#include "croq/tune/brought/brought_factory.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "croq/base/check.h"
#include "croq/base/files.h"
#include "croq/base/hash.h"
#include "croq/source/edit.h"
#include "croq/source/pin.h"
#include "croq/tune/brought/harness.h"
#include "croq/tune/brought/literals.h"
#include "croq/tune/brought/file_rule.h"

namespace croq::tune {
namespace {

using source::SyntaxTree;

constexpr std::size_t kWordInTag = 12;
constexpr std::size_t kDigitsInTag = 4;
constexpr const char* kReferenceTag = "torch_reference";

/// Literals of module constants and launch keywords, replaced where they stand.
Result<std::string> WithLiterals(const BroughtFile& file, const Config& config) {
  const SyntaxTree& tree = *file.tree;
  source::EditList edits;
  for (const BroughtLever& lever : file.levers) {
    const auto value = config.values.find(lever.lever.name);
    if (lever.home != LeverHome::kLiteral || value == config.values.end() ||
        value->second == lever.first) {
      continue;
    }
    for (const source::Node* place : lever.places) {
      edits.Replace(tree.Offset(place->span.line, place->span.column),
                    tree.Offset(place->span.end_line, place->span.end_column),
                    PythonText(value->second));
    }
  }
  if (edits.empty()) return tree.bytes();
  return edits.Apply(tree.bytes());
}

/// The part of a configuration that autotuners had.
Config OfAutotuners(const BroughtFile& file, const Config& config) {
  Config part{config.variant, {}};
  for (const BroughtLever& lever : file.levers) {
    const auto value = config.values.find(lever.lever.name);
    if (lever.home == LeverHome::kAutotune && value != config.values.end()) part.values.insert(*value);
  }
  return part;
}

}  // namespace

std::string BroughtTag(const ShapeKey& shape, const Config& config) {
  std::string tag(shape.OperatorWord().substr(0, kWordInTag));
  for (const auto& [name, letter] : {std::pair("num_warps", 'w'), std::pair("num_stages", 's')}) {
    const auto value = config.values.find(name);
    if (value != config.values.end()) tag += fmt::format("_{}{}", letter, ToText(value->second));
  }
  // A word cut behind its `_` would give two of them.
  std::string clean;
  for (const char c : tag + "_" + Fingerprint(config.Text()).substr(0, kDigitsInTag)) {
    if (c == '_' && !clean.empty() && clean.back() == '_') continue;
    clean += c;
  }
  return clean;
}

Result<SyntaxTree> BroughtFactory::Parse(std::string bytes) const {
  CROQ_ASSIGN(ReadTree read, parts_.reader.Read(parts_.file.path.string(), std::move(bytes)));
  if (!read.tree) {
    return Failure(fmt::format("{}: after croq's own edits Python refuses it: {}",
                               parts_.file.path.string(), read.Refusal()));
  }
  return std::move(*read.tree);
}

Result<std::string> BroughtFactory::Pinned(const Config& config) const {
  CROQ_ASSIGN(std::string bytes, WithLiterals(parts_.file, config));
  const Config autotuned = OfAutotuners(parts_.file, config);
  if (autotuned.values.empty()) return bytes;
  CROQ_ASSIGN(const SyntaxTree tree, Parse(std::move(bytes)));
  const source::Names names(tree);
  source::PinRequest request;
  CROQ_ASSIGN(request.configs, source::PinConfigsOf(autotuned));
  CROQ_ASSIGN(source::Pinned pinned, source::Pin(tree, names, request));
  return std::move(pinned.source);
}

Result<operators::Script> BroughtFactory::Render(const Config& config) const {
  CROQ_ASSIGN(std::string pinned, Pinned(config));
  const std::string tag = BroughtTag(parts_.file.shape, config);
  if (!parts_.file.problem) return operators::Script{tag, std::move(pinned)};
  CROQ_ASSIGN(const SyntaxTree tree, Parse(pinned));
  if (HasHarness(tree)) return operators::Script{tag, std::move(pinned)};
  CROQ_ASSIGN(std::string whole,
              WithHarness(tree, *parts_.file.problem, parts_.contract, parts_.templates,
                          HarnessSubject::kEntry));
  return operators::Script{tag, std::move(whole)};
}

Result<std::string> BroughtFactory::BreaksRule(const std::string& script) const {
  CROQ_ASSIGN(const SyntaxTree tree, Parse(script));
  return FirstRuleBroken(tree, parts_.contract, parts_.file.Entry());
}

Result<operators::Made> BroughtFactory::Written(const Config& config) const {
  operators::Made made;
  if (config.variant != parts_.file.first.variant) {
    made.outcome = Outcome::kConstraints;
    made.reason = "it is of another version of the file";
    made.script.tag = BroughtTag(parts_.file.shape, config);
    return made;
  }
  Result<operators::Script> script = Render(config);
  if (!script && script.error().kind == ErrorKind::kUsage) {
    // What pinning refuses, of this configuration or of the file.
    made.outcome = Outcome::kConstraints;
    made.reason = script.error().message;
    made.script.tag = BroughtTag(parts_.file.shape, config);
    return made;
  }
  if (!script) return tl::unexpected(script.error());
  made.script = std::move(*script);
  CROQ_ASSIGN(made.reason, BreaksRule(made.script.source));
  if (!made.reason.empty()) {
    made.outcome = Outcome::kRule;
    return made;
  }
  CROQ_TRY(MakeDirectories(parts_.work));
  made.source = parts_.work / fmt::format("{}_{}.py", made.script.tag,
                                          Fingerprint(config.Text()).substr(0, 12));
  CROQ_TRY(WriteFile(made.source, made.script.source));
  return made;
}

Status BroughtFactory::Begin(const Config& config) const {
  const std::string text = config.Text();
  if (begun_.contains(text)) return {};
  CROQ_ASSIGN(operators::Made made, Written(config));
  if (made.outcome == Outcome::kCorrect && !captured_.contains(text)) {
    const Problem* problem = parts_.file.problem ? &*parts_.file.problem : nullptr;
    captured_.emplace(text, parts_.capture.Start(made.source, parts_.file.shape, problem));
  }
  begun_.emplace(text, std::move(made));
  return {};
}

bool BroughtFactory::IsReady(const Config& config) const {
  const auto begun = begun_.find(config.Text());
  if (begun == begun_.end() || begun->second.outcome != Outcome::kCorrect) return true;
  return captured_.at(begun->first).wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

Result<operators::Made> BroughtFactory::Make(const Config& config) const {
  CROQ_TRY(Begin(config));
  auto begun = begun_.extract(config.Text());
  operators::Made made = std::move(begun.mapped());
  if (made.outcome != Outcome::kCorrect) return made;
  const auto capturing = captured_.find(begun.key());
  const Result<Captured>& captured = capturing->second.get();
  if (!captured) {
    Error error = captured.error();
    captured_.erase(capturing);
    return tl::unexpected(std::move(error));
  }
  made.outcome = captured->outcome;
  made.reason = captured->reason;
  return made;
}

const Captured& BroughtFactory::CapturedOf(const Config& config) const {
  const auto found = captured_.find(config.Text());
  CROQ_CHECK(found != captured_.end());
  return *found->second.get();
}

std::vector<CompileJob> BroughtFactory::Jobs(const Config& config,
                                             const std::filesystem::path& source) const {
  std::vector<CompileJob> jobs = CapturedOf(config).jobs;
  for (CompileJob& job : jobs) job.source_path = source.string();
  return jobs;
}

LaunchPlan BroughtFactory::Plan(const Config& config, std::vector<CompiledKernel> kernels) const {
  LaunchPlan plan = CapturedOf(config).plan;
  plan.kernels = std::move(kernels);
  return plan;
}

Result<operators::Script> BroughtFactory::BaselineScript() const {
  if (!parts_.file.problem) return parts_.built_in->BaselineScript();
  CROQ_ASSIGN(std::string whole,
              WithHarness(*parts_.file.tree, *parts_.file.problem, parts_.contract,
                          parts_.templates, HarnessSubject::kReference));
  return operators::Script{kReferenceTag, std::move(whole)};
}

Result<operators::Twin> BroughtFactory::MakeTwin(const Config&) const {
  return Failure("a brought file has no twin: its problem is made smaller instead");
}

std::string BroughtFactory::TritonConfig(const Config& config) const {
  return BroughtTritonConfig(config);
}

std::string BroughtTritonConfig(const Config& config) {
  std::string constants;
  std::string options;
  for (const auto& [name, value] : config.values) {
    const std::string plain = name.substr(name.rfind('.') + 1);
    if (source::KindOfKey(plain) == source::KeyKind::kOption) {
      options += fmt::format(", {}={}", plain, ToText(value));
    } else {
      constants += fmt::format("{}\"{}\": {}", constants.empty() ? "" : ", ", plain, PythonText(value));
    }
  }
  return fmt::format("triton.Config({{{}}}{})", constants, options);
}

}  // namespace croq::tune
