#include "croq/backend/source_reader.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "croq/backend/parse_slot.h"
#include "croq/process/pipe.h"

namespace croq::backend {
namespace {

/// At most one byte more than is taken.
Result<std::string> ReadSome(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return UsageFailure(fmt::format("{} is a folder; name its files", path.string()));
  // Opening a pipe waits for a writer, and a device may never end.
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    return UsageFailure(fmt::format("{} is not a regular file", path.string()));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kMaxSourceBytes + 1, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.is_open() || file.bad())
    return UsageFailure(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

ParsedFile NotParsed(ParsedFile::State state, const std::string& path, std::string message) {
  ParsedFile file;
  file.state = state;
  file.path = path;
  file.message = std::move(message);
  return file;
}

}  // namespace

/// The workers, and the jobs that none of them has.
class SourceReader::Pool {
 public:
  explicit Pool(Options options) : options_(std::move(options)) {
    for (int i = 0; i < std::max(1, options_.workers); ++i) slots_.emplace_back(options_);
  }

  /// `next` gives jobs until there are no more; it may also call `take` itself.
  Status Run(const std::function<std::optional<ParseJob>()>& next, const Take& take) {
    next_ = &next;
    take_ = &take;
    while (true) {
      CROQ_TRY(SendJobs());
      if (std::all_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot.Idle(); }))
        return {};
      Wait();
      for (ParseSlot& slot : slots_) CROQ_TRY(Step(slot));
    }
  }

 private:
  std::optional<ParseJob> NextJob() {
    if (waiting_.empty())
      return (*next_)();
    ParseJob job = std::move(waiting_.front());
    waiting_.pop_front();
    return job;
  }

  /// Each slot gets one before any gets a second.
  Status SendJobs() {
    for (int round = 0; round < 2; ++round) {
      for (ParseSlot& slot : slots_) {
        if (round == 0 && !slot.Idle())
          continue;
        std::optional<ParseJob> job = NextJob();
        if (!job)
          return {};
        if (slot.HasRoomFor(*job)) {
          CROQ_TRY(slot.Send(std::move(*job)));
        } else {
          waiting_.push_front(std::move(*job));
        }
      }
    }
    return {};
  }

  void Wait() {
    std::vector<pollfd> items;
    SteadyTime deadline = SteadyTime::max();
    for (const ParseSlot& slot : slots_) {
      if (slot.Idle() || slot.process() == nullptr)
        continue;
      items.push_back({slot.process()->reply_fd(), POLLIN, 0});
      items.push_back({slot.process()->output_fd(), POLLIN, 0});
      deadline = std::min(deadline, slot.deadline());
    }
    ::poll(items.data(), items.size(), process::PollMillis(deadline));
  }

  Status Step(ParseSlot& slot) {
    while (true) {
      CROQ_ASSIGN(ParseSlot::Event event, slot.Step());
      if (event.kind == ParseSlot::Event::Kind::kNothing)
        return {};
      ParseJob& job = *event.job;
      if (event.kind == ParseSlot::Event::Kind::kDone) {
        HandOver(job.index, std::move(event.file));
      } else if (++job.failures < kMostFailures) {
        waiting_.push_front(std::move(job));
      } else {
        HandOver(job.index, NotParsed(ParsedFile::State::kRefused, job.path,
                                      "not parsed: " + event.reason));
      }
      if (slot.process() == nullptr) {
        for (ParseJob& unread : slot.TakeUnread()) waiting_.push_back(std::move(unread));
      }
    }
  }

  void HandOver(std::size_t index, ParsedFile file) {
    const SteadyTime before = std::chrono::steady_clock::now();
    (*take_)(index, std::move(file));
    const auto took = std::chrono::steady_clock::now() - before;
    for (ParseSlot& slot : slots_) slot.Extend(took);
  }

  static constexpr int kMostFailures = 2;

  Options options_;
  std::deque<ParseSlot> slots_;  ///< they refer to options_ and do not move
  std::deque<ParseJob> waiting_;
  const std::function<std::optional<ParseJob>()>* next_ = nullptr;
  const Take* take_ = nullptr;
};

SourceReader::SourceReader(Options options) : pool_(std::make_unique<Pool>(std::move(options))) {}
SourceReader::SourceReader(SourceReader&&) noexcept = default;
SourceReader& SourceReader::operator=(SourceReader&&) noexcept = default;
SourceReader::~SourceReader() = default;

Result<ParsedFile> SourceReader::Read(const std::filesystem::path& path) {
  ParsedFile read;
  CROQ_TRY(ReadAll({path}, [&](std::size_t, ParsedFile file) { read = std::move(file); }));
  return read;
}

Result<ParsedFile> SourceReader::ReadBytes(const std::string& path, std::string bytes) {
  ParsedFile read;
  bool given = false;
  CROQ_TRY(pool_->Run(
      [&]() -> std::optional<ParseJob> {
        if (std::exchange(given, true))
          return std::nullopt;
        return ParseJob{0, path, std::move(bytes), 0};
      },
      [&](std::size_t, ParsedFile file) { read = std::move(file); }));
  return read;
}

Status SourceReader::ReadAll(const std::vector<std::filesystem::path>& paths, const Take& take) {
  std::size_t index = 0;
  return pool_->Run(
      [&]() -> std::optional<ParseJob> {
        while (index < paths.size()) {
          const std::size_t at = index++;
          const std::string path = paths[at].string();
          auto bytes = ReadSome(paths[at]);
          if (!bytes) {
            take(at, NotParsed(ParsedFile::State::kUnreadable, path, bytes.error().message));
          } else if (bytes->size() > kMaxSourceBytes) {
            take(at, NotParsed(ParsedFile::State::kRefused, path,
                               fmt::format("the file is larger than {} bytes", kMaxSourceBytes)));
          } else {
            return ParseJob{at, path, std::move(*bytes), 0};
          }
        }
        return std::nullopt;
      },
      take);
}

}  // namespace croq::backend
