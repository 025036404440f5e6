#include "samples.h"

#include <limits>

#include "sample_parts.h"

namespace croq::protocol {
namespace {

using nlohmann::json;

TrialReply SampleTrialReply() {
  TrialReply reply;
  Check check;
  check.passed = true;
  check.max_abs_err = 0.000244140625;
  check.worst_ratio = 0.5;
  check.worst_row = 17;
  check.worst_column = 4000;
  check.output_hash = "ffeeddccbbaa99887766554433221100";
  reply.check = check;
  Timing timing;
  timing.samples_ms = {0.1875, 0.1895, 0.1885};
  timing.median_ms = 0.1885;
  timing.sm_clock_mhz = 1980;
  timing.throttle_reasons = 0x8000000000000004ull;
  reply.timing = timing;
  reply.wall_ms = 7.5;
  reply.load_ms = 1.5;
  reply.check_ms = 2.25;
  reply.timing_ms = 3.5;
  return reply;
}

TrialReply SampleWrongTrialReply() {
  TrialReply reply;
  reply.outcome = Outcome::kCorrectness;
  reply.reason = "3 elements are NaN";
  Check check;
  check.nan_count = 3;
  check.tensor = "residual";
  check.max_abs_err = std::numeric_limits<double>::infinity();
  check.worst_ratio = std::numeric_limits<double>::infinity();
  reply.check = check;
  return reply;
}

std::vector<Sample> RunnerRequestSamples() {
  PrepareRequest prepare{Shape("matmul_nt_bf16fp32_64x8192x8192"),
                         9007199254740993ull,
                         0.01,
                         8,
                         {"/opt/lib/libcublas.so.13", "/opt/lib/libcublasLt.so.13"},
                         std::nullopt};
  PrepareRequest brought = prepare;
  brought.problem = SampleProblem();
  brought.shape = brought.problem->key;
  TrialRequest trial{SamplePlan(), 2, 10, 0.75, 0.625, 2000, true};
  DuelRequest duel;
  duel.candidate = SamplePlan();
  duel.reference = DuelReference::kCublasLtBest;
  TimeRequest time{DuelReference::kPlan, SamplePlan(), Regime::kSustained, 5000};
  return {
      {"open", WithId(Encode(OpenRequest{0}), 1), Again<OpenRequest, DecodeOpenRequest>},
      {"prepare", WithId(Encode(prepare), 2), Again<PrepareRequest, DecodePrepareRequest>},
      {"prepare_problem", WithId(Encode(brought), 2),
       Again<PrepareRequest, DecodePrepareRequest>},
      {"inputs", WithId(Encode(InputsRequest{1, "/tmp/in"}), 7),
       Again<InputsRequest, DecodeInputsRequest>},
      {"references", WithId(Encode(ReferencesRequest{1, "/tmp/ref"}), 8),
       Again<ReferencesRequest, DecodeReferencesRequest>},
      {"trial", WithId(Encode(trial), 3), Again<TrialRequest, DecodeTrialRequest>},
      {"duel", WithId(Encode(duel), 4), Again<DuelRequest, DecodeDuelRequest>},
      {"time", WithId(Encode(time), 5), Again<TimeRequest, DecodeTimeRequest>},
      {"heuristics", WithId(Encode(HeuristicsRequest{8}), 6),
       Again<HeuristicsRequest, DecodeHeuristicsRequest>},
  };
}

std::vector<Sample> RunnerReplySamples() {
  RunnerHello hello{1, std::string(kCroqVersion), 124, true, "", 13000, {{0, "NVIDIA H200", 90}}};
  RunnerHello without{1, std::string(kCroqVersion), 124, false, "libcuda.so.1: not found", 0, {}};
  DuelReply duel;
  duel.duel = {{0.1875, 0.1885}, {0.1925, 0.1915}};
  duel.sm_clock_mhz = 1755;
  duel.throttle_reasons = 4;
  TimeReply time;
  time.timing.regime = Regime::kContract;
  time.timing.samples_ms = {0.1885};
  time.timing.median_ms = 0.1885;
  TimeReply hung;
  hung.outcome = Outcome::kTimeout;
  hung.reason = "a launch did not end within 5000 ms";
  TrialReply sticky;
  sticky.outcome = Outcome::kRuntime;
  sticky.reason = "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)";
  sticky.sticky = true;
  return {
      {"hello_runner", Encode(hello), Again<RunnerHello, DecodeRunnerHello>},
      {"hello_runner_without_cuda", Encode(without), Again<RunnerHello, DecodeRunnerHello>},
      {"open_reply", WithId(Encode(OpenReply{SampleDevice(), true}), 1),
       Again<OpenReply, DecodeOpenReply>},
      {"prepare_reply",
       WithId(Encode(PrepareReply{4, 402653184, 12.5, "", "nvjet_hsh_128x256", 4100.5}), 2),
       Again<PrepareReply, DecodePrepareReply>},
      {"inputs_reply", WithId(Encode(InputsReply{134225920}), 7),
       Again<InputsReply, DecodeInputsReply>},
      {"references_reply", WithId(Encode(ReferencesReply{268435456}), 8),
       Again<ReferencesReply, DecodeReferencesReply>},
      {"trial_reply", WithId(Encode(SampleTrialReply()), 3), Again<TrialReply, DecodeTrialReply>},
      {"trial_reply_wrong", WithId(Encode(SampleWrongTrialReply()), 3),
       Again<TrialReply, DecodeTrialReply>},
      {"trial_reply_sticky", WithId(Encode(sticky), 3), Again<TrialReply, DecodeTrialReply>},
      {"duel_reply", WithId(Encode(duel), 4), Again<DuelReply, DecodeDuelReply>},
      {"time_reply", WithId(Encode(time), 5), Again<TimeReply, DecodeTimeReply>},
      {"time_reply_timeout", WithId(Encode(hung), 5), Again<TimeReply, DecodeTimeReply>},
      {"heuristics_reply", WithId(Encode(HeuristicsReply{"", 8, 3, 0.25, 0.1875}), 6),
       Again<HeuristicsReply, DecodeHeuristicsReply>},
      {"error", WithId(Encode(ErrorReply{"unknown message type 'x'"}), 9),
       Again<ErrorReply, DecodeErrorReply>},
  };
}

}  // namespace

std::vector<Sample> AllSamples() {
  std::vector<Sample> samples = WorkerSamples();
  for (auto part : {RunnerRequestSamples(), RunnerReplySamples()}) {
    samples.insert(samples.end(), part.begin(), part.end());
  }
  return samples;
}

}  // namespace croq::protocol
