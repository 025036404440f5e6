#include "croq/base/base64.h"

#include <array>
#include <cstdint>

namespace croq {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 255;

constexpr std::array<std::uint8_t, 256> DigitValues() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  return values;
}

constexpr std::array<std::uint8_t, 256> kValues = DigitValues();

std::uint32_t ByteAt(std::string_view bytes, std::size_t index) {
  return index < bytes.size() ? static_cast<unsigned char>(bytes[index]) : 0;
}

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group =
        ByteAt(bytes, i) << 16 | ByteAt(bytes, i + 1) << 8 | ByteAt(bytes, i + 2);
    text += kDigits[group >> 18];
    text += kDigits[group >> 12 & 63];
    text += i + 1 < bytes.size() ? kDigits[group >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? kDigits[group & 63] : '=';
  }
  return text;
}

Result<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0)
    return Failure("base64 comes in groups of four characters");
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t group = 0;
    for (std::size_t j = i; j < i + 4; ++j) {
      std::uint8_t value = kValues[static_cast<unsigned char>(text[j])];
      if (value == kNoDigit) {
        if (j < text.size() - padding)
          return Failure("a character is no base64 digit");
        value = 0;
      }
      group = group << 6 | value;
    }
    bytes += static_cast<char>(group >> 16);
    bytes += static_cast<char>(group >> 8 & 255);
    bytes += static_cast<char>(group & 255);
  }
  const bool clean = padding == 0 || bytes.substr(bytes.size() - padding).find_first_not_of('\0') ==
                                         std::string::npos;
  if (!clean)
    return Failure("base64 has bits beyond its last byte");
  bytes.erase(bytes.size() - padding);
  return bytes;
}

}  // namespace croq
