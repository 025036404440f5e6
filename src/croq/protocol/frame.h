#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "croq/base/result.h"

/// Frames: a 4-byte little-endian length, then that many bytes of UTF-8 JSON (one object). The end
/// of the stream between two frames means that the peer is gone; inside a frame it is an error.
/// Writers must ignore SIGPIPE, else a peer that is gone kills them.
namespace croq::protocol {

/// A longer frame is a protocol error: it is refused before anything is allocated.
inline constexpr std::size_t kMaxFrameBytes = 64u << 20;

/// Writes all of it, waiting where the descriptor is full. Errors: payload above the cap, errno.
Status WriteFrame(int fd, std::string_view payload);

/// Waits for one frame; nothing when the peer closed between frames. Errors: torn or oversized
/// frame, errno.
Result<std::optional<std::string>> ReadFrame(int fd);

/// WriteFrame of the message's compact text. Bytes that are not UTF-8 are replaced by U+FFFD.
Status WriteMessage(int fd, const nlohmann::json& message);

/// ReadFrame and parse. Errors also: the payload is not a JSON object.
Result<std::optional<nlohmann::json>> ReadMessage(int fd);

/// The payload of a frame as a JSON object.
Result<nlohmann::json> ParseMessage(std::string_view payload);

/// Puts frames together from what a non-blocking descriptor gives, for poll loops:
/// FillFrom(fd), then Next() until it gives nothing.
class FrameReader {
 public:
  /// Reads what is there now. False once the peer has closed its end; what came before it can still
  /// be taken with Next(). Error: errno.
  Result<bool> FillFrom(int fd);

  void Feed(std::string_view bytes) { buffer_.append(bytes); }

  /// The next whole frame, or nothing while it is incomplete. Error: oversized frame (the stream
  /// can't be used any more).
  Result<std::optional<std::string>> Next();

  /// Whether a part of a frame lies in the buffer; at the end of the stream that frame is torn.
  bool HasPartialFrame() const { return position_ < buffer_.size(); }

 private:
  std::string buffer_;
  std::size_t position_ = 0;  ///< start of the first frame not yet taken
};

}  // namespace croq::protocol
