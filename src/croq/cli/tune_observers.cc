#include "croq/cli/tune_observers.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "croq/cli/tune_lines.h"

namespace croq::cli {
namespace {

using nlohmann::json;

constexpr double kRedrawSeconds = 0.1;
constexpr double kPlainSeconds = 10;
constexpr double kJsonSeconds = 1;

/// Says yes at most once in `seconds`, and the first time.
class Every {
 public:
  explicit Every(double seconds) : seconds_(seconds) {}
  bool Due() {
    if (started_ && SecondsSince(last_) < seconds_) return false;
    started_ = true;
    last_ = std::chrono::steady_clock::now();
    return true;
  }

 private:
  double seconds_;
  bool started_ = false;
  SteadyTime last_{};
};

class TerminalObserver : public tune::Observer {
 public:
  explicit TerminalObserver(std::FILE* out) : out_(out) {}
  ~TerminalObserver() override { Clear(); }

  void OnProgress(const tune::Progress& progress) override {
    if (progress.phase == phase_ && !redraw_.Due()) return;
    phase_ = progress.phase;
    fmt::print(out_, "\r\033[K{}", FormatProgress(progress));
    std::fflush(out_);
    drawn_ = true;
  }

  void OnEvent(const std::string& type, const json& fields) override {
    const std::string line = FormatEvent(type, fields);
    if (line.empty()) return;
    Clear();
    fmt::print(out_, "{}\n", line);
    std::fflush(out_);
  }

 private:
  void Clear() {
    if (!drawn_) return;
    fmt::print(out_, "\r\033[K");
    std::fflush(out_);
    drawn_ = false;
  }

  std::FILE* out_;
  Every redraw_{kRedrawSeconds};
  std::string phase_;
  bool drawn_ = false;
};

class PlainObserver : public tune::Observer {
 public:
  explicit PlainObserver(std::FILE* out) : out_(out) {}

  void OnProgress(const tune::Progress& progress) override {
    if (!every_.Due()) return;
    fmt::print(out_, "{}\n", FormatProgress(progress));
    std::fflush(out_);
  }

  void OnEvent(const std::string& type, const json& fields) override {
    const std::string line = FormatEvent(type, fields);
    if (line.empty()) return;
    fmt::print(out_, "{}\n", line);
    std::fflush(out_);
  }

 private:
  std::FILE* out_;
  Every every_{kPlainSeconds};
};

class JsonObserver : public tune::Observer {
 public:
  JsonObserver(std::FILE* out, std::string session) : out_(out), session_(std::move(session)) {}

  void OnProgress(const tune::Progress& progress) override {
    if (!every_.Due()) return;
    json fields{{"phase", progress.phase},
                {"trials", progress.trials},
                {"trials_per_second", progress.trials_per_second},
                {"best", progress.best},
                {"best_tflops", progress.best_tflops},
                {"share_of_cublas", progress.share_of_cublas},
                {"predicted", progress.predicted}};
    if (progress.seconds_left >= 0) fields["seconds_left"] = progress.seconds_left;
    OnEvent("progress", fields);
  }

  void OnEvent(const std::string& type, const json& fields) override {
    json event{{"event", type}, {"at", FormatUtc(UnixMillis())}, {"session", session_}};
    event.update(fields);
    // Compiler messages may hold bytes that are not UTF-8.
    fmt::print(out_, "{}\n", event.dump(-1, ' ', false, json::error_handler_t::replace));
    std::fflush(out_);
  }

 private:
  std::FILE* out_;
  std::string session_;
  Every every_{kJsonSeconds};
};

}  // namespace

std::string FormatProgress(const tune::Progress& progress) {
  std::string line = progress.phase;
  if (progress.trials > 0) line += fmt::format("  {} trials", progress.trials);
  if (progress.trials_per_second > 0) line += fmt::format(", {:.1f}/s", progress.trials_per_second);
  if (progress.best_tflops > 0) {
    line += fmt::format("  best {:.1f} TFLOPS{}", progress.best_tflops,
                        progress.predicted ? " predicted" : "");
  }
  if (progress.share_of_cublas > 0) {
    line += fmt::format(", {:.3f} of cuBLAS", progress.share_of_cublas);
  }
  if (progress.seconds_left >= 0) line += fmt::format("  {:.0f} s left", progress.seconds_left);
  return line;
}

std::unique_ptr<tune::Observer> MakeTuneObserver(Presentation presentation, std::FILE* out,
                                                 std::string session) {
  switch (presentation) {
    case Presentation::kTerminal:
      return std::make_unique<TerminalObserver>(out);
    case Presentation::kPlain:
      return std::make_unique<PlainObserver>(out);
    case Presentation::kJson:
      break;
  }
  return std::make_unique<JsonObserver>(out, std::move(session));
}

}  // namespace croq::cli
