#include "croq/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace croq::cli {
namespace {

constexpr std::int64_t kMostWhole = 1'000'000'000;

/// Whether all of `text` is a number of the type, with a plus sign or without.
template <typename T>
std::from_chars_result ReadNumber(std::string_view text, T& value) {
  if (text.starts_with('+') && !text.substr(1).starts_with('-'))
    text.remove_prefix(1);
  std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc() && read.ptr != text.data() + text.size())
    read.ec = std::errc::invalid_argument;
  return read;
}

/// What is wrong with the value of an option that takes a positive number; empty where nothing is.
std::string PositiveFault(const std::string& text, double most) {
  const std::string wanted = fmt::format("it takes a number above 0, {:.0f} at most", most);
  if (text.empty())
    return "the value is empty; " + wanted;
  double value = 0;
  const std::errc fault = ReadNumber(text, value).ec;
  if (fault == std::errc::invalid_argument)
    return fmt::format("'{}' is not a number; {}", text, wanted);
  const bool good = fault == std::errc() && std::isfinite(value) && value > 0 && value <= most;
  return good ? "" : fmt::format("'{}' is out of range; {}", text, wanted);
}

std::string WholeFault(const std::string& text) {
  const std::string wanted = fmt::format("it takes a whole number from 0 to {}", kMostWhole);
  if (text.empty())
    return "the value is empty; " + wanted;
  std::int64_t value = 0;
  const std::errc fault = ReadNumber(text, value).ec;
  if (fault == std::errc::invalid_argument)
    return fmt::format("'{}' is not a whole number; {}", text, wanted);
  const bool good = fault == std::errc() && value >= 0 && value <= kMostWhole;
  return good ? "" : fmt::format("'{}' is out of range; {}", text, wanted);
}

}  // namespace

void RequirePositive(CLI::Option& option, double most) {
  option.check([most](const std::string& text) { return PositiveFault(text, most); }, "POSITIVE");
}

void RequireWhole(CLI::Option& option) {
  option.check([](const std::string& text) { return WholeFault(text); }, "NONNEGATIVE");
}

void AddOutOption(CLI::App& app, std::string& out) {
  app.add_option("--out", out, "Folder that holds tuning/ (default: the current one)")
      ->type_name("DIR");
}

void AddSessionOption(CLI::App& app, std::string& session, const std::string& subject) {
  app.add_option("--session", session,
                 fmt::format("The session that {} of (default: the one written to last)", subject))
      ->type_name("SESSION");
}

void AddModelOption(CLI::App& app, std::string& model) {
  app.add_option(
         "--model", model,
         fmt::format("Who proposes the candidates; results lie in a folder of this name (default: "
                     "{})", model))
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
