#include "croq/process/bounded_capture.h"

#include <fmt/format.h>

#include <algorithm>

namespace croq::process {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

BoundedCapture::BoundedCapture(std::size_t head_bytes, std::size_t tail_bytes)
    : head_bytes_(head_bytes), tail_bytes_(tail_bytes) {}

void BoundedCapture::Append(std::string_view bytes) {
  total_ += bytes.size();
  const std::size_t to_head = std::min(head_bytes_ - head_.size(), bytes.size());
  head_.append(bytes.substr(0, to_head));
  bytes.remove_prefix(to_head);
  if (bytes.size() > tail_bytes_) {
    tail_.clear();
    bytes.remove_prefix(bytes.size() - tail_bytes_);
  }
  tail_.append(bytes);
  if (tail_.size() > 2 * tail_bytes_)
    tail_.erase(0, tail_.size() - tail_bytes_);
}

void BoundedCapture::Clear() {
  total_ = 0;
  head_.clear();
  tail_.clear();
}

std::string BoundedCapture::Text() const {
  const std::string_view tail =
      std::string_view(tail_).substr(tail_.size() - std::min(tail_.size(), tail_bytes_));
  const std::uint64_t dropped = total_ - head_.size() - tail.size();
  if (dropped == 0)
    return head_ + std::string(tail);
  return fmt::format("{}\n... {} bytes left out ...\n{}", head_, dropped, tail);
}

std::string LastLine(std::string_view text, std::size_t limit) {
  const std::size_t last = text.find_last_not_of(kBlanks);
  if (last == std::string_view::npos)
    return {};
  text = text.substr(0, last + 1);
  const std::size_t line_break = text.find_last_of("\r\n");
  if (line_break != std::string_view::npos)
    text.remove_prefix(line_break + 1);
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first != std::string_view::npos)
    text.remove_prefix(first);
  return std::string(text.substr(0, limit));
}

}  // namespace croq::process
