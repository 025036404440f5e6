#include "croq/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

namespace croq::cli {

void AddOutOption(CLI::App& app, std::string& out) {
  app.add_option("--out", out, "Folder that holds tuning/ (default: the current one)")
      ->type_name("DIR");
}

void AddModelOption(CLI::App& app, std::string& model) {
  app.add_option(
         "--model", model,
         "Who proposes the candidates; results lie in a folder of this name (default: croq)")
      ->type_name("NAME");
}

void AddDeviceOption(CLI::App& app, std::string& device) {
  app.add_option("--device", device,
                 "auto (a GPU if there is one, else offline:sm90; the default), cuda:N, or "
                 "offline:sm90 (no GPU: figures are predicted)")
      ->type_name("DEVICE");
}

void AddDslOption(CLI::App& app, std::string& dsl) {
  app.add_option("--dsl", dsl, "Language of the kernels (default: triton)")->type_name("NAME");
}

void AddJsonOption(CLI::App& app, bool& json, const std::string& what) {
  app.add_flag("--json", json, "Print " + what);
}

Status CheckModelName(const std::string& name) {
  constexpr std::size_t kLongest = 64;
  const auto alphanumeric = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const bool good = !name.empty() && name.size() <= kLongest && alphanumeric(name.front()) &&
                    std::ranges::all_of(name, [&](char c) {
                      return alphanumeric(c) || c == '.' || c == '_' || c == '-';
                    });
  if (good)
    return {};
  return UsageFailure(fmt::format(
      "--model '{}' can't be a folder's name: use 1 to {} letters, digits, '.', '_' and '-', "
      "starting with a letter or digit",
      name, kLongest));
}

}  // namespace croq::cli
