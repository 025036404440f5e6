#include "croq/cli/tune_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "croq/cli/app.h"
#include "croq/cli/session_parts.h"
#include "croq/cli/tune_events.h"
#include "croq/cli/tune_observers.h"
#include "croq/cli/tune_run.h"
#include "croq/cli/tune_summary.h"
#include "croq/journal/reader.h"
#include "croq/search/plain_start.h"
#include "croq/tune/round_plan.h"

namespace croq::cli {
namespace {

using nlohmann::json;

Presentation ChoosePresentation(const TuneArguments& arguments) {
  if (arguments.json) return Presentation::kJson;
  return ::isatty(STDOUT_FILENO) == 1 ? Presentation::kTerminal : Presentation::kPlain;
}

}  // namespace

ShapeRun::ShapeRun(TuneSetup& setup, const ShapeKey& shape, BroughtRun* brought,
                   const std::atomic<bool>& interrupted)
    : setup_(setup), shape_(shape), brought_(brought), interrupted_(interrupted),
      paths_(PathsOf(setup, shape)),
      seed_(setup.request.seed.value_or(FreshSeed())), input_seed_(FreshSeed()) {}

void ShapeRun::Note(const std::string& message) const {
  observer_->OnEvent("note", {{"message", message}});
}

Status ShapeRun::Open() {
  if (brought_ != nullptr) {
    CROQ_ASSIGN(factory_, brought_->MakeFactory(setup_, paths_));
  } else {
    CROQ_ASSIGN(factory_, operators::MakeFactory(shape_, setup_.device, setup_.contract,
                                                 setup_.layout.operators));
  }
  CROQ_ASSIGN(journal_, journal::Journal::Open(paths_, WantedSession(setup_, paths_, seed_)));
  observer_ = MakeTuneObserver(ChoosePresentation(setup_.arguments), stdout,
                               journal::SessionName(paths_));
  return {};
}

Status ShapeRun::MakeStrategy() {
  search::StrategyOptions options;
  options.space = factory_->Space();
  options.seed = seed_;
  options.on_rejected = [this](const Config& config, const std::string& reason) {
    rejections_.Add(config, reason);
  };
  if (brought_ != nullptr) {
    options.shortlist = {brought_->file().first};
  } else {
    options.predict = MakePredictor(shape_, setup_.device);
    if (setup_.request.budget.rounds > 1) {
      options.shortlist =
          search::PlainStart(options.space, options.predict, seed_, tune::kOpeningTrials);
    }
  }
  if (setup_.device.measured) {
    const std::vector<Config> offline =
        OfflineShortlist(paths_, setup_.device.compute_capability);
    options.shortlist.insert(options.shortlist.end(), offline.begin(), offline.end());
    if (!offline.empty()) {
      Note(fmt::format("starting from {} configurations that an offline session predicted",
                       offline.size()));
    }
  }
  strategy_ = search::MakeStrategy(setup_.arguments.strategy, std::move(options));
  CROQ_ASSIGN(const std::vector<journal::TriedConfig> tried, journal_->read().TriedConfigs());
  for (const journal::TriedConfig& one : tried) {
    CROQ_ASSIGN(const Config config, ParseConfig(one.config));
    strategy_->Observe(config, one.outcome, one.time_ms);
  }
  return {};
}

Status ShapeRun::StartRun() {
  const json budget_json = BudgetJson(setup_.request.budget);
  CROQ_ASSIGN(const std::optional<journal::UnfinishedRun> unfinished,
              journal_->FindUnfinishedRun());
  std::optional<std::int64_t> continues;
  if (unfinished && json::parse(unfinished->budget, nullptr, false) == budget_json) {
    continues = unfinished->id;
    used_trials_ = unfinished->trials;
    used_seconds_ = unfinished->seconds;
    Note(fmt::format("going on with an interrupted run: {} trials and {:.0f} s of its budget are "
                     "spent", used_trials_, used_seconds_));
  }
  CROQ_TRY(journal_->SetFact("device", {{"name", setup_.device.name},
                                        {"sm_count", setup_.device.sm_count}}));
  const json argv{{"shape_key", shape_.text}, {"device", setup_.resolved.argument},
                  {"strategy", setup_.arguments.strategy}, {"seed", std::to_string(seed_)},
                  {"no_profile", setup_.arguments.no_profile}};
  return journal_->StartRun(argv, budget_json, continues).map([](std::int64_t) {});
}

tune::Session ShapeRun::MakeSession() {
  return tune::Session{shape_,     setup_.device, paths_,     setup_.contract, script_path_folders_,
                       *factory_,  *journal_,     *builder_,  *evaluator_,     *scripts_,
                       *rules_,    *strategy_, *observer_,    interrupted_, bars_.cold_ms};
}

Status ShapeRun::TimeAgain(tune::RoundLoop& loop, tune::Session& session) {
  const std::vector<std::string>& changes = journal_->opened().environment_changes;
  for (const std::string& change : changes) {
    Note(fmt::format("{}: timing iter000 and the best kernel again, as stored figures no longer "
                     "compare", change));
  }
  if (shape_.op != Operator::kBrought) {
    CROQ_TRY(tune::WriteBaseline(session, setup_.runner.get(), bars_, !changes.empty()));
  }
  if (changes.empty()) return {};
  CROQ_TRY(loop.TimeBestAgain());
  return journal_->AcceptEnvironment();
}

Result<tune::RunSummary> ShapeRun::Tune() {
  tune::Session session = MakeSession();
  counters_ = MakeRoundCounters(setup_, paths_, measured_, *scripts_);
  const std::optional<tune::IdeaSettings> ideas =
      MakeIdeaSettings(setup_, paths_, shape_, measured_, counters_);
  session.ideas = ideas ? &*ideas : nullptr;
  tune::RoundLoop loop(session, paths_.Work());
  rejections_.ConnectTo(loop.screening());
  if (brought_ != nullptr) {
    CROQ_ASSIGN(const bool sound, brought_->Begin(session, setup_.runner != nullptr));
    tune::RunSummary summary;
    summary.ended_by = "the purity rule";
    if (!sound) return summary;
    // A winner's scripts take what iter000's took; before them come the finalists' duels.
    constexpr double kDuelSeconds = 3;
    if (brought_->script_seconds() > 0)
      loop.ExpectClosing(brought_->script_seconds() + kDuelSeconds);
  }
  CROQ_TRY(loop.Restore());
  CROQ_TRY(loop.Warm(setup_.request.budget));
  CROQ_TRY(TimeAgain(loop, session));
  // A brought session's start takes longer than many a budget: it counts.
  if (brought_ != nullptr) used_seconds_ += SecondsSince(brought_->start());
  CROQ_ASSIGN(tune::RunSummary summary,
              loop.Run(setup_.request.budget, used_trials_, used_seconds_));
  summary.account.shared = builder_->Shared();
  return summary;
}

/// A session is croq's own or one file's, never both.
Status ShapeRun::Enter() {
  if (brought_ == nullptr) return CheckNoFile(*journal_);
  if (!brought_->note().empty()) Note(brought_->note());
  CROQ_ASSIGN(const std::string changed, brought_->Enter(*journal_));
  if (!changed.empty()) Note(changed);
  return {};
}

void ShapeRun::Started() const {
  const journal::OpenReport& opened = journal_->opened();
  json started = StartedJson(setup_, paths_);
  started["resumed"] = opened.resumed;
  started["seed"] = std::to_string(seed_);
  observer_->OnEvent("started", started);
  for (const std::string& repair : opened.repairs) Note("repaired: " + repair);
  if (opened.resumed) Note("resuming the session in " + paths_.Logs().string());
}

Result<int> ShapeRun::Finish(const tune::RunSummary& summary) {
  // The inputs' seed is secret while candidates run; it is recorded once they are done.
  CROQ_TRY(journal_->SetFact("input_seed", std::to_string(input_seed_)));
  CROQ_TRY(journal_->FinishRun(summary.interrupted ? journal::RunStatus::kInterrupted
                                                   : journal::RunStatus::kDone));
  const json figures = brought_ != nullptr && summary.best
                           ? brought_->Figures(*summary.best, *journal_) : json();
  json finished = SummaryJson(setup_, shape_, paths_, summary);
  if (!figures.is_null()) {
    finished["figures"] = figures;
    CROQ_TRY(journal_->SetFact("figures", figures));
  }
  finished["seed"] = std::to_string(seed_);
  observer_->OnEvent("finished", finished);
  observer_.reset();
  if (!setup_.arguments.json) fmt::print("{}", FormatSummary(setup_, shape_, paths_, summary, figures));
  if (summary.interrupted) return kExitInterrupted;
  return summary.best ? kExitDone : kExitNoKernel;
}

Result<int> ShapeRun::Run() {
  CROQ_TRY(Open());
  Started();
  CROQ_TRY(Enter());
  CROQ_TRY(StartWorkers());
  CROQ_TRY(PrepareEvaluator());
  CROQ_TRY(MakeStrategy());
  CROQ_TRY(StartRun());
  Result<tune::RunSummary> summary = Tune();
  if (!summary) {
    [[maybe_unused]] const Status ignored = journal_->FinishRun(journal::RunStatus::kFailed);
    return tl::unexpected(summary.error());
  }
  return Finish(*summary);
}

Result<int> TuneOneShape(TuneSetup& setup, const ShapeKey& shape,
                         const std::atomic<bool>& interrupted) {
  return ShapeRun(setup, shape, nullptr, interrupted).Run();
}

Result<int> TuneOneFile(TuneSetup& setup, const std::filesystem::path& file,
                        const std::atomic<bool>& interrupted) {
  CROQ_ASSIGN(const std::unique_ptr<BroughtRun> brought, BroughtRun::Read(setup, file));
  return ShapeRun(setup, brought->file().shape, brought.get(), interrupted).Run();
}

}  // namespace croq::cli
