#include "croq/protocol/frame.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

namespace croq::protocol {
namespace {

constexpr std::size_t kHeaderBytes = 4;

std::array<char, kHeaderBytes> EncodeLength(std::size_t length) {
  std::array<char, kHeaderBytes> header{};
  for (std::size_t i = 0; i < header.size(); ++i) {
    header[i] = static_cast<char>((length >> (8 * i)) & 0xff);
  }
  return header;
}

std::size_t DecodeLength(const char* header) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < kHeaderBytes; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(header[i])) << (8 * i);
  }
  return length;
}

tl::unexpected<Error> Oversized(std::size_t length) {
  return Failure(fmt::format(
      "frame of {} bytes is above the limit of {}: the peer is not speaking croq's protocol",
      length, kMaxFrameBytes));
}

tl::unexpected<Error> FromErrno(std::string_view what, int fd) {
  const int code = errno;
  return Failure(fmt::format("{} descriptor {}: {}", what, fd, std::strerror(code)));
}

/// Waits for a non-blocking descriptor.
void WaitFor(int fd, short events) {
  pollfd item{fd, events, 0};
  ::poll(&item, 1, -1);
}

Status WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      WaitFor(fd, POLLOUT);
    } else if (errno != EINTR) {
      return FromErrno("writing a frame to", fd);
    }
  }
  return {};
}

/// Reads until `size` bytes are there or the stream ends; returns how many came.
Result<std::size_t> ReadFully(int fd, char* target, std::size_t size) {
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::read(fd, target + have, size - have);
    if (got > 0) {
      have += static_cast<std::size_t>(got);
    } else if (got == 0) {
      break;
    } else if (errno == EAGAIN) {
      WaitFor(fd, POLLIN);
    } else if (errno != EINTR) {
      return FromErrno("reading a frame from", fd);
    }
  }
  return have;
}

tl::unexpected<Error> Torn(std::size_t have, std::size_t want) {
  return Failure(
      fmt::format("the peer went away inside a frame ({} of {} bytes came)", have, want));
}

}  // namespace

Status WriteFrame(int fd, std::string_view payload) {
  if (payload.size() > kMaxFrameBytes)
    return Oversized(payload.size());
  // One write for small frames: a reader in poll() then wakes once.
  const std::array<char, kHeaderBytes> header = EncodeLength(payload.size());
  std::string frame(header.data(), header.size());
  frame.append(payload);
  return WriteAll(fd, frame);
}

Result<std::optional<std::string>> ReadFrame(int fd) {
  std::array<char, kHeaderBytes> header{};
  CROQ_ASSIGN(const std::size_t got, ReadFully(fd, header.data(), header.size()));
  if (got == 0)
    return std::nullopt;
  if (got < header.size())
    return Torn(got, header.size());
  const std::size_t length = DecodeLength(header.data());
  if (length > kMaxFrameBytes)
    return Oversized(length);
  std::string payload(length, '\0');
  CROQ_ASSIGN(const std::size_t have, ReadFully(fd, payload.data(), length));
  if (have < length)
    return Torn(have, length);
  return payload;
}

Status WriteMessage(int fd, const nlohmann::json& message) {
  return WriteFrame(fd, message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

Result<nlohmann::json> ParseMessage(std::string_view payload) {
  nlohmann::json message = nlohmann::json::parse(payload, nullptr, /*allow_exceptions=*/false);
  if (!message.is_object()) {
    return Failure(fmt::format("the frame's {} bytes are not a JSON object", payload.size()));
  }
  return message;
}

Result<std::optional<nlohmann::json>> ReadMessage(int fd) {
  CROQ_ASSIGN(const std::optional<std::string> payload, ReadFrame(fd));
  if (!payload)
    return std::nullopt;
  CROQ_ASSIGN(nlohmann::json message, ParseMessage(*payload));
  return std::optional<nlohmann::json>(std::move(message));
}

Result<bool> FrameReader::FillFrom(int fd) {
  std::array<char, 65536> chunk;
  while (true) {
    const ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got == 0)
      return false;
    if (got > 0) {
      buffer_.append(chunk.data(), static_cast<std::size_t>(got));
      // A short read means that the pipe is empty; the next poll will tell.
      if (static_cast<std::size_t>(got) < chunk.size())
        return true;
    } else if (errno == EAGAIN) {
      return true;
    } else if (errno != EINTR) {
      return FromErrno("reading frames from", fd);
    }
  }
}

Result<std::optional<std::string>> FrameReader::Next() {
  const std::size_t have = buffer_.size() - position_;
  if (have < kHeaderBytes)
    return std::nullopt;
  const std::size_t length = DecodeLength(buffer_.data() + position_);
  if (length > kMaxFrameBytes)
    return Oversized(length);
  if (have - kHeaderBytes < length)
    return std::nullopt;
  std::string payload = buffer_.substr(position_ + kHeaderBytes, length);
  position_ += kHeaderBytes + length;
  if (position_ == buffer_.size()) {
    buffer_.clear();
    position_ = 0;
  } else if (position_ > (1u << 20)) {
    buffer_.erase(0, position_);
    position_ = 0;
  }
  return std::optional<std::string>(std::move(payload));
}

}  // namespace croq::protocol
