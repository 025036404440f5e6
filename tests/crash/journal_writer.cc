// Writes to a session as fast as it can until it is killed. After every call that returned, it
// says on standard output (a pipe) what it now counts on: one line "<what> <number>", one write.
//   journal_writer OUT SEED
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "crash/journal_session.h"
#include "croq/base/check.h"
#include "croq/base/files.h"
#include "croq/journal/journal.h"

namespace croq::journal {
namespace {

void Acknowledge(const std::string& what, std::int64_t number) {
  const std::string line = fmt::format("{} {}\n", what, number);
  CROQ_CHECK(::write(STDOUT_FILENO, line.data(), line.size()) ==
             static_cast<ssize_t>(line.size()));
}

void Touch(const std::filesystem::path& path) { std::ofstream(path) << path.filename().string(); }

void WriteFiles(const SessionPaths& paths, int number, const std::string& tag) {
  Touch(paths.Source(IterationName(number) + "_" + tag));
  Touch(paths.BuildScript(number));
  Touch(paths.BuildLog(number));
}

class Writer {
 public:
  Writer(Journal* journal, unsigned seed) : journal_(journal), random_(seed) {}

  void Trials() {
    const unsigned count = random_() % 20;
    std::int64_t last = 0;
    for (unsigned n = 0; n < count; ++n) {
      Trial trial;
      trial.config.variant = "tiled";
      const auto id = journal_->AppendTrial(trial);
      CROQ_CHECK(id.has_value());
      last = *id;
    }
    CROQ_CHECK(journal_->Flush().has_value());
    if (last > 0) Acknowledge("trial", last);
  }

  void Iterate() {
    const auto open = journal_->FindOpenIteration();
    CROQ_CHECK(open.has_value());
    if (*open) {
      Finish((*open)->number, (*open)->tag);
      return;
    }
    const std::string tag = fmt::format("tag{}", random_() % 1000);
    const auto number = journal_->BeginIteration(tag, "tiled", 1);
    CROQ_CHECK(number.has_value());
    Finish(*number, tag);
  }

 private:
  void Finish(int number, const std::string& tag) {
    WriteFiles(journal_->paths(), number, tag);
    Idea idea;
    idea.idea = "wider tiles";
    if (random_() % 3 == 0) {
      Attempt attempt;
      attempt.reason = "refused";
      attempt.log = journal_->paths().BuildLog(number).string();
      const auto stored = journal_->AbandonIteration(number, attempt, idea);
      CROQ_CHECK(stored.has_value());
      Acknowledge("attempt", stored->number);
      return;
    }
    Iteration iteration;
    iteration.number = number;
    iteration.tag = tag;
    iteration.decision = number == 0 ? Decision::kNone : Decision::kDiscard;
    iteration.tflops = number;
    CROQ_CHECK(journal_->CommitIteration(iteration, idea).has_value());
    Acknowledge("iteration", number);
  }

  Journal* journal_;
  std::mt19937 random_;
};

int Main(const std::string& out, unsigned seed) {
  const SessionPaths paths = CrashSessionPaths(out);
  for (const auto& folder : {paths.Sources(), paths.Commands(), paths.Performance()}) {
    CROQ_CHECK(MakeDirectories(folder).has_value());
  }
  auto journal = Journal::Open(paths, CrashSessionInfo());
  CROQ_CHECK(journal.has_value());
  CROQ_CHECK((*journal)->StartRun("argv", "budget").has_value());
  Acknowledge("open", 0);
  Writer writer(journal->get(), seed);
  while (true) {
    writer.Trials();
    writer.Iterate();
  }
}

}  // namespace
}  // namespace croq::journal

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  return croq::journal::Main(argv[1], static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)));
}
