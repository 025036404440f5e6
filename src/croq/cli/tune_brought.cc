#include "croq/cli/tune_brought.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "croq/backend/brought_numerics.h"
#include "croq/cli/evaluated.h"
#include "croq/cli/output.h"
#include "croq/cli/session_parts.h"
#include "croq/search/roofline.h"
#include "croq/tune/iteration_writer.h"
#include "croq/tune/brought/small_problem.h"

namespace croq::cli {
namespace {

using nlohmann::json;

constexpr const char* kFileFact = "file";
constexpr const char* kReferenceFact = "torch_reference";
// Of all tensors of the small problem that the interpreter runs: some seconds.
constexpr std::int64_t kInterpretedElements = 1 << 17;
// The runner holds two input sets at least, and float32 references of what is written.
constexpr double kSetsAndReferences = 4;

Status CheckMemory(const Problem& problem, const DeviceFacts& device) {
  const double needed = kSetsAndReferences * static_cast<double>(problem.TensorBytes());
  const double there = static_cast<double>(device.memory_bytes);
  if (needed <= there) return {};
  return UsageFailure(fmt::format(
      "{}: it needs about {} of device memory (two input sets and references) and {} has {}; choose "
      "smaller --dims", problem.key.text, FormatBytes(needed), device.name, FormatBytes(there)));
}

/// For the worker: CUDA_VISIBLE_DEVICES is croq's own, so ordinals are the same.
std::string ReferenceDevice(const TuneSetup& setup) {
  return setup.resolved.cuda ? fmt::format("cuda:{}", setup.resolved.ordinal) : "cpu";
}

/// A capture takes about as long as one compile on each of these.
int CaptureWorkers(const TuneSetup& setup) { return std::clamp(setup.workers / 4, 1, 4); }

}  // namespace

Result<std::unique_ptr<BroughtRun>> BroughtRun::Read(const TuneSetup& setup,
                                                     const std::filesystem::path& file) {
  const SteadyTime start = std::chrono::steady_clock::now();
  CROQ_ASSIGN(ScratchFolder scratch, ScratchFolder::Make());
  auto reader =
      std::make_unique<backend::WorkerTreeReader>(WorkersOf(setup), scratch.path() / "parse");
  auto capture = std::make_unique<backend::WorkerHostCapture>(
      WorkersOf(setup), scratch.path() / "capture", setup.device, CaptureWorkers(setup));
  std::unique_ptr<backend::WorkerReferenceRunner> reference;
  if (setup.runner) {
    reference = std::make_unique<backend::WorkerReferenceRunner>(
        WorkersOf(setup), scratch.path() / "reference", ReferenceDevice(setup));
    reference->Begin();
  }
  std::optional<std::vector<source::MadeList>> lists;
  tune::BroughtOptions options = setup.request.brought;
  options.made = [&]() -> Result<std::vector<source::MadeList>> {
    if (!lists) {
      CROQ_ASSIGN(lists, capture->MadeLists(file));
    }
    return *lists;
  };
  CROQ_ASSIGN(tune::BroughtFile read,
              tune::ReadBroughtFile(file, *reader, setup.contract, options));
  if (read.problem) CROQ_TRY(CheckMemory(*read.problem, setup.device));
  std::unique_ptr<BroughtRun> run(new BroughtRun(std::move(read), std::move(scratch),
                                                 std::move(reader), std::move(capture)));
  run->reference_ = std::move(reference);
  run->start_ = start;
  if (lists) run->note_ = ImportedNote(file.string());
  return run;
}

BroughtRun::~BroughtRun() {
  std::error_code ignored;
  if (!references_.empty()) std::filesystem::remove_all(references_, ignored);
}

Result<std::unique_ptr<operators::CandidateFactory>> BroughtRun::MakeFactory(
    const TuneSetup& setup, const SessionPaths& paths) {
  CROQ_ASSIGN(operators::TemplateSet templates,
              operators::TemplateSet::Load(setup.layout.operators / "brought"));
  std::unique_ptr<operators::CandidateFactory> built_in;
  if (!file_.problem) {
    CROQ_ASSIGN(built_in, operators::MakeFactory(file_.shape, setup.device, setup.contract,
                                                 setup.layout.operators));
  }
  return std::make_unique<tune::BroughtFactory>(
      tune::BroughtFactory::Parts{file_, *reader_, *capture_, setup.contract, std::move(templates),
                                  paths.Work() / "configs", std::move(built_in)});
}

Result<std::string> BroughtRun::Enter(journal::Journal& journal) const {
  CROQ_ASSIGN(const std::optional<json> stored, journal.Fact(kFileFact));
  std::string changed;
  if (!stored) {
    CROQ_ASSIGN(const std::optional<Iteration> any, journal.read().FindIteration(0));
    if (any) {
      return UsageFailure(fmt::format("the session in {} holds croq's own kernels; give --model a "
                                      "name for those of {}", journal.paths().Logs().string(),
                                      file_.path.filename().string()));
    }
  } else if (stored->value("name", "") != file_.path.filename().string()) {
    return UsageFailure(fmt::format("the session in {} is of {}; give --model a name for that of {}",
                                    journal.paths().Logs().string(), stored->value("path", ""),
                                    file_.path.filename().string()));
  } else if (stored->value("hash", "") != file_.hash) {
    changed = fmt::format("{} has changed since: its kernels are measured anew, and earlier ones no "
                          "longer count as its best", file_.path.filename().string());
  }
  json fact{{"path", file_.path.string()}, {"name", file_.path.filename().string()},
            {"hash", file_.hash}, {"entry", file_.Entry()}};
  if (file_.problem) {
    fact["flops"] = file_.problem->flops;
    fact["bytes"] = file_.problem->bytes;
  }
  CROQ_TRY(journal.SetFact(kFileFact, fact));
  return changed;
}

void BroughtRun::Describe(PrepareRequest& request) const {
  if (!file_.problem) return;
  request.problem = file_.problem;
  request.max_abs_tolerance = file_.problem->absolute_tolerance;
}

Status BroughtRun::TakeUp(const TuneSetup& setup, const SessionPaths& paths,
                          const PrepareReply& prepared) {
  if (!file_.problem) return {};
  copy_gbps_ = prepared.copy_gbps;
  references_ = paths.Work() / "references";
  stage_ = std::make_unique<tune::ReferenceStage>(*setup.runner, *reference_, file_, references_);
  return stage_->Start(prepared.input_sets);
}

std::unique_ptr<tune::PredictedEvaluator> BroughtRun::MakePredicted(const TuneSetup& setup,
                                                                    const SessionPaths& paths) {
  std::optional<Problem> small;
  if (file_.problem) {
    small = tune::SmallerProblem(*file_.tree, *file_.problem, setup.contract, kInterpretedElements);
  }
  numerics_ = std::make_unique<backend::BroughtNumerics>(
      WorkersOf(setup), paths.Work() / "interpreter", std::move(small), kInterpretedElements);
  const auto model = [shape = file_.shape, device = setup.device](const tune::Candidate& candidate) {
    return search::PredictPlanMillis(shape, device, candidate.plan);
  };
  return std::make_unique<tune::PredictedEvaluator>(model, *numerics_);
}

Result<bool> BroughtRun::Begin(tune::Session& session, bool measured) {
  // While the references are computed, all that needs no GPU: the capture of the first
  // configuration, iter000's build, the first configuration's compile.
  first_ = std::make_unique<tune::Pipeline>(session.factory, session.builder,
                                            session.paths.Work() / "src");
  CROQ_TRY(session.factory.Begin(file_.first));
  tune::ReferenceIteration baseline(session);
  const SteadyTime build = std::chrono::steady_clock::now();
  if (file_.problem) CROQ_TRY(baseline.Build());
  if (baseline.started()) script_seconds_ = SecondsSince(build);
  CROQ_ASSIGN(std::vector<tune::Built> built, first_->BuildNow({file_.first}));
  if (stage_ != nullptr) {
    CROQ_ASSIGN(bar_, stage_->Finish());
    stage_.reset();
    CROQ_TRY(session.journal.SetFact(kReferenceFact, {{"function", file_.problem->reference},
                                                      {"ms_contract", bar_.contract_ms},
                                                      {"ms_cold", bar_.cold_ms},
                                                      {"problem", bar_.problem}}));
  }
  const SteadyTime run = std::chrono::steady_clock::now();
  if (file_.problem) CROQ_TRY(baseline.Finish(measured ? std::optional(bar_) : std::nullopt));
  if (baseline.started()) script_seconds_ += SecondsSince(run);
  CROQ_ASSIGN(const tune::First first, tune::JudgeFirst(session, std::move(built.front())));
  if (first.outcome == Outcome::kRule) return false;
  if (!first.candidate) return true;
  session.evaluator.SetFirst(*first.candidate, first.time_ms);
  session.observer.OnEvent("first", {{"config", file_.first.Text()},
                                     {"time_ms", first.time_ms},
                                     {"predicted", session.evaluator.Predicted()}});
  return true;
}

Status CheckNoFile(const journal::Journal& journal) {
  CROQ_ASSIGN(const std::optional<json> stored, journal.Fact(kFileFact));
  if (!stored) return {};
  return UsageFailure(fmt::format("the session in {} is of {}; give --model another name",
                                  journal.paths().Logs().string(), stored->value("path", "")));
}

json BroughtRun::Figures(const Iteration& best, const journal::Journal& journal) const {
  json figures = json::object();
  const ShapeKey& shape = file_.shape;
  const bool brought = shape.op == Operator::kBrought;
  const Result<std::optional<json>> first = journal.Fact(tune::kFirstFact);
  if (first && *first && (*first)->value("iteration", "") == best.Name()) {
    figures["speedup_first"] = (*first)->at("ratio");
  }
  if (!(best.time_ms > 0)) return figures;
  if (shape.CompulsoryBytes() > 0 && brought) {
    const double gbps = shape.CompulsoryBytes() / best.time_ms / 1e6;
    figures["gbps"] = gbps;
    if (copy_gbps_ > 0 && !best.predicted) {
      figures["copy_gbps"] = copy_gbps_;
      figures["copy_share"] = gbps / copy_gbps_;
    }
  }
  if (brought && shape.Flops() > 0) figures["tflops"] = best.tflops;
  if (bar_.contract_ms > 0 && !best.predicted) {
    figures["torch_ms"] = bar_.contract_ms;
    figures["speedup_torch"] = bar_.contract_ms / best.time_ms;
  }
  return figures;
}

}  // namespace croq::cli
