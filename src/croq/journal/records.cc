#include "croq/journal/records.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

namespace croq::journal {
namespace {

using Part = std::pair<const char*, std::string Environment::*>;

constexpr std::array<Part, 6> kParts{{{"croq", &Environment::croq},
                                      {"triton", &Environment::triton},
                                      {"torch", &Environment::torch},
                                      {"python", &Environment::python},
                                      {"driver", &Environment::driver},
                                      {"gpu", &Environment::gpu}}};

std::string OrNone(const std::string& text) { return text.empty() ? "none" : text; }

}  // namespace

std::vector<std::string> Differences(const Environment& before, const Environment& after) {
  std::vector<std::string> texts;
  for (const auto& [name, member] : kParts) {
    if (before.*member == after.*member) continue;
    texts.push_back(fmt::format("{} {} -> {}", name, OrNone(before.*member),
                                OrNone(after.*member)));
  }
  return texts;
}

std::string ToJsonText(const Environment& environment) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, member] : kParts) json[name] = environment.*member;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Environment EnvironmentFromJsonText(const std::string& text) {
  Environment environment;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return environment;
  for (const auto& [name, member] : kParts) {
    const auto found = json.find(name);
    if (found != json.end() && found->is_string()) environment.*member = found->get<std::string>();
  }
  return environment;
}

std::string_view NameOf(RunStatus status) {
  switch (status) {
    case RunStatus::kRunning:
      return "running";
    case RunStatus::kDone:
      return "done";
    case RunStatus::kInterrupted:
      return "interrupted";
    case RunStatus::kFailed:
      return "failed";
    case RunStatus::kKilled:
      return "killed";
  }
  return "";
}

}  // namespace croq::journal
