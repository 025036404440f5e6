#include "croq/tune/shared_builder.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "croq/base/files.h"
#include "croq/base/hash.h"

namespace croq::tune {
namespace {

/// A kept result is of use while its cubin is there.
bool IsThere(const BuildResult& result) {
  std::error_code ignored;
  return std::filesystem::exists(result.kernel.cubin_path, ignored);
}

std::string TextOf(const ConstexprValue& value) {
  return fmt::format("{}:{}:{}:{}", static_cast<int>(value.kind), value.integer, value.real,
                     value.text);
}

}  // namespace

std::string SharedBuilder::KeyOf(const CompileJob& job) {
  const std::string* source = sources_.Find(job.source_path);
  if (source == nullptr) {
    const Result<std::string> text = ReadFile(job.source_path);
    if (!text) return "";
    sources_.Put(job.source_path, Fingerprint(*text));
    source = sources_.Find(job.source_path);
  }
  std::string key = fmt::format("{}\n{} sm{} {}", *source, job.kernel, job.compute_capability,
                                job.warp_specialize);
  for (const KernelParameter& parameter : job.parameters) {
    key += fmt::format("\n{} {} {} {}", parameter.name, parameter.type, parameter.divisible_by_16,
                       TextOf(parameter.value));
  }
  for (const auto& [option, value] : job.options) key += fmt::format("\n{}={}", option, value);
  return Fingerprint(key);
}

const BuildResult* SharedBuilder::Remembered(const std::string& key) {
  const BuildResult* known = built_.Find(key);
  if (known == nullptr || IsThere(*known)) return known;
  built_.Erase(key);
  return nullptr;
}

void SharedBuilder::Give(std::int64_t ticket, const BuildResult& result) {
  ready_.push_back(result);
  ready_.back().ticket = ticket;
  ready_.back().compile_ms = 0;
}

Status SharedBuilder::Submit(std::int64_t ticket, CompileJob job) {
  const std::string key = KeyOf(job);
  if (key.empty()) return builder_.Submit(ticket, std::move(job));
  if (const BuildResult* known = Remembered(key)) {
    ++shared_;
    Give(ticket, *known);
    return {};
  }
  if (const auto leader = followers_.find(key); leader != followers_.end()) {
    ++shared_;
    ++waiting_;
    leader->second.push_back(ticket);
    return {};
  }
  followers_.emplace(key, std::vector<std::int64_t>{});
  leaders_.emplace(ticket, key);
  return builder_.Submit(ticket, std::move(job));
}

Result<std::optional<BuildResult>> SharedBuilder::Next(std::chrono::milliseconds wait) {
  if (!ready_.empty()) {
    BuildResult result = std::move(ready_.front());
    ready_.pop_front();
    return result;
  }
  CROQ_ASSIGN(std::optional<BuildResult> result, builder_.Next(wait));
  if (!result) return std::nullopt;
  const auto leader = leaders_.find(result->ticket);
  if (leader == leaders_.end()) return result;
  const auto found = followers_.find(leader->second);
  for (const std::int64_t follower : found->second) Give(follower, *result);
  waiting_ -= static_cast<int>(found->second.size());
  if (result->outcome == Outcome::kCorrect) built_.Put(found->first, *result);
  followers_.erase(found);
  leaders_.erase(leader);
  return result;
}

}  // namespace croq::tune
