#include "croq/cli/device_argument.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace croq::cli {
namespace {

constexpr std::string_view kForms = "use auto, cuda:N (N from 0) or offline:sm90";
constexpr std::string_view kCuda = "cuda:";
constexpr std::string_view kOffline = "offline:";
constexpr std::string_view kReplay = "replay:";

tl::unexpected<Error> Refuse(std::string_view text, const std::string& why) {
  return UsageFailure(fmt::format("--device '{}': {}; {}", text, why, kForms));
}

/// Decimal digits without sign or leading zero.
std::optional<int> ParseOrdinal(std::string_view text) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || text.front() == '-') {
    return std::nullopt;
  }
  if (text.size() > 1 && text.front() == '0')
    return std::nullopt;
  return value;
}

}  // namespace

Result<DeviceArgument> ParseDevice(std::string_view text, bool replay) {
  DeviceArgument device;
  device.text = std::string(text);
  if (text == "auto")
    return device;
  if (text.starts_with(kCuda)) {
    const std::string_view number = text.substr(kCuda.size());
    const auto ordinal = ParseOrdinal(number);
    if (!ordinal)
      return Refuse(text, fmt::format("'{}' is no GPU number", number));
    device.kind = DeviceArgument::Kind::kCuda;
    device.ordinal = *ordinal;
    return device;
  }
  if (text.starts_with(kOffline)) {
    if (text != kDefaultOffline) {
      return Refuse(text,
                    fmt::format("there is no offline target '{}'", text.substr(kOffline.size())));
    }
    device.kind = DeviceArgument::Kind::kOffline;
    device.compute_capability = 90;
    return device;
  }
  if (text.starts_with(kReplay)) {
    if (!replay)
      return Refuse(text, "recordings are replayed by croq tune alone");
    device.kind = DeviceArgument::Kind::kReplay;
    device.recording = std::string(text.substr(kReplay.size()));
    if (device.recording.empty())
      return UsageFailure("--device 'replay:': it takes a file, such as replay:recording.jsonl");
    return device;
  }
  return Refuse(text, "there is no such device");
}

}  // namespace croq::cli
