#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace croq::process {

/// Keeps the first and the last bytes of an endless text. The start says which command spoke, the
/// end why it failed; what lies between (a whole PTX listing) is dropped.
class BoundedCapture {
 public:
  static constexpr std::size_t kDefaultBytes = 64 * 1024;

  explicit BoundedCapture(std::size_t head_bytes = kDefaultBytes,
                          std::size_t tail_bytes = kDefaultBytes);

  void Append(std::string_view bytes);
  void Clear();
  bool Empty() const { return total_ == 0; }
  std::uint64_t TotalBytes() const { return total_; }

  /// Head and tail, with a line `... N bytes left out ...` between them where some were dropped.
  std::string Text() const;

 private:
  std::size_t head_bytes_;
  std::size_t tail_bytes_;
  std::uint64_t total_ = 0;
  std::string head_;
  std::string tail_;  ///< at most twice tail_bytes_; trimmed when it grows past that
};

/// The last line that is not blank, without surrounding blanks; empty where there is none. At most
/// `limit` bytes of it.
std::string LastLine(std::string_view text, std::size_t limit = 300);

}  // namespace croq::process
