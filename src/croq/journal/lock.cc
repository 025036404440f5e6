#include "croq/journal/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "croq/base/clock.h"

namespace croq::journal {
namespace {

constexpr int kTries = 10;
constexpr std::chrono::milliseconds kBetweenTries(20);

std::string HostName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown host";
  return name.data();
}

std::string HolderText() {
  nlohmann::ordered_json json;
  json["pid"] = static_cast<std::int64_t>(::getpid());
  json["host"] = HostName();
  json["since"] = FormatUtc(UnixMillis());
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// "pid 123 on host since 2026-..." from the lock's text.
std::string Holder(int fd) {
  std::array<char, 1024> text{};
  const ssize_t size = ::pread(fd, text.data(), text.size(), 0);
  if (size <= 0) return "another croq";
  const auto json = nlohmann::json::parse(text.data(), text.data() + size, nullptr, false);
  const auto text_of = [&](const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "unknown";
  };
  if (!json.is_object() || !json.contains("pid") || !json["pid"].is_number_integer()) {
    return "another croq";
  }
  return fmt::format("croq with pid {} on {} since {}", json["pid"].get<std::int64_t>(),
                     text_of("host"), text_of("since"));
}

}  // namespace

Result<SessionLock> SessionLock::Take(const std::filesystem::path& path) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd) {
    if (errno == ENOSPC) {
      return Failure(fmt::format("cannot write {}: the disk is full (free some space)",
                                 path.string()));
    }
    return UsageFailure(fmt::format("cannot write {}: {} (choose a folder that can be written with"
                                    " --out)", path.string(), std::strerror(errno)));
  }
  // A holder that was just killed keeps the lock until the kernel has taken it apart, and one that
  // has just started has not written its name yet: both are over in milliseconds.
  for (int tries = 1; ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) {
      return Failure(fmt::format("cannot lock {}: {} (is it on a network file system without"
                                 " locks? choose another --out)",
                                 path.string(), std::strerror(errno)));
    }
    if (tries == kTries) {
      return UsageFailure(fmt::format(
          "this session is in use: {} holds {} (wait for it, stop it, or use another --model or"
          " --out)", Holder(fd.get()), path.string()));
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
  // The text only informs: a disk too full for it must not keep a session from being opened.
  const std::string text = HolderText();
  if (::ftruncate(fd.get(), 0) == 0) {
    static_cast<void>(!::pwrite(fd.get(), text.data(), text.size(), 0));
  }
  return SessionLock(std::move(fd));
}

}  // namespace croq::journal
