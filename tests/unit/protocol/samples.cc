#include "samples.h"

#include <cmath>
#include <limits>
#include <memory>

#include "croq/protocol/messages.h"

namespace croq::protocol {
namespace {

using nlohmann::json;

template <typename T, Result<T> (*Decoder)(const json&)>
json Again(const json& message) {
  const auto value = Decoder(message);
  if (!value)
    return json{{"decode_error", value.error().message}};
  json again = Encode(*value);
  if (message.contains("id"))
    again["id"] = message["id"];
  return again;
}

ShapeKey Shape(const std::string& text) {
  return ParseShapeKey(text).value();
}

CompiledKernel SampleKernel() {
  CompiledKernel kernel;
  kernel.cubin_path = "/tmp/out/matmul_kernel.cubin";
  kernel.cubin_fingerprint = "00112233445566778899aabbccddeeff";
  kernel.entry = "matmul_kernel";
  kernel.num_warps = 8;
  kernel.num_ctas = 2;
  kernel.shared_bytes = 98304;
  kernel.global_scratch_bytes = 384;
  kernel.global_scratch_align = 128;
  kernel.tensordesc_meta = {{3, 2, 8, {128, 64}}};
  kernel.registers = 168;
  return kernel;
}

std::vector<KernelParameter> SampleParameters() {
  using Kind = ConstexprValue::Kind;
  return {{"a_ptr", "*fp16", true, {}},
          {"desc", "tensordesc<fp16[128, 64]>", false, {}},
          {"M", "i32", true, {}},
          {"stride", "constexpr", false, {Kind::kInt, 1, 0, ""}},
          {"FLATTEN", "constexpr", false, {Kind::kBool, 1, 0, ""}},
          {"SCALE", "constexpr", false, {Kind::kFloat, 0, 0.5, ""}},
          {"EVICT_A", "constexpr", false, {Kind::kString, 0, 0, "evict_last"}},
          {"OUT", "constexpr", false, {Kind::kDType, 0, 0, "fp16"}},
          {"bias", "constexpr", false, {Kind::kNone, 0, 0, ""}}};
}

std::vector<PlanBuffer> SampleBuffers() {
  return {{"a", 33554432, false},
          {"b", 33554432, false},
          {"c", 33554432, false},
          {"scratch0", 67108864, true}};
}

std::vector<PlanStep> SampleSteps() {
  LaunchStep launch;
  launch.grid = {132, 1, 1};
  launch.arguments = {PointerArgument{0, 0},
                      DescriptorArgument{1, 0, {4096, 4096}, {4096, 1}, true},
                      ScalarArgument{"i32", 4096, 0}, ScalarArgument{"fp32", 0, 0.25}};
  return {FillStep{3, 0, 67108864, {0}}, launch, CopyStep{3, 0, 2, 0, 33554432}};
}

LaunchPlan SamplePlan() {
  return {{SampleKernel()}, SampleBuffers(), SampleSteps()};
}

DeviceFacts SampleDevice() {
  DeviceFacts device;
  device.key = "sm90_NVIDIA_H200";
  device.name = "NVIDIA H200";
  device.compute_capability = 90;
  device.sm_count = 132;
  device.shared_bytes_per_block = 232448;
  device.shared_bytes_per_sm = 233472;
  device.l2_bytes = 62914560;
  device.memory_bytes = 150754820096;
  device.memory_free_bytes = 149000000000;
  device.peak_tflops_f16 = 989.5;
  device.peak_tflops_tf32 = 494.7;
  device.peak_tflops_f32 = 66.9;
  device.memory_gb_per_s = 4800;
  device.driver_version = 13000;
  device.measured = true;
  return device;
}

Problem SampleProblem() {
  Problem problem;
  problem.key =
      MakeBroughtKey("rmsnorm", DType::kF16Fp32, {{"M", 8192}, {"N", 4096}}).value();
  problem.entry = "rmsnorm";
  problem.reference = "rmsnorm_reference";
  problem.tensors = {
      {"x", "fp16", {8192, 4096}, TensorRole::kInput, Distribution::kNormal, 0, 1},
      {"mask", "i1", {8192}, TensorRole::kInput, Distribution::kInteger, 0, 1},
      {"residual", "fp16", {8192, 4096}, TensorRole::kInOut, Distribution::kUniform, -1, 1},
      {"y", "fp16", {8192, 4096}, TensorRole::kOutput, Distribution::kNormal, 0, 1}};
  problem.arguments = {{"x", std::size_t{0}},
                       {"residual", std::size_t{2}},
                       {"mask", std::size_t{1}},
                       {"eps", 1e-6},
                       {"groups", std::int64_t{4}},
                       {"causal", true},
                       {"mode", std::string("fast")},
                       {"bias", std::monostate{}}};
  problem.flops = 5.0 * 8192 * 4096;
  problem.bytes = 4.0 * 2 * 8192 * 4096;
  problem.absolute_tolerance = 0.001;
  problem.key.stated_flops = problem.flops;
  problem.key.stated_bytes = problem.bytes;
  return problem;
}

CompileReply SampleCompiled() {
  CompileReply reply;
  reply.ok = true;
  reply.kernel = SampleKernel();
  reply.warp_specialized = true;
  reply.compile_ms = 412.5;
  return reply;
}

CompileReply SampleCompileFailure() {
  CompileReply reply;
  reply.error = "CompilationError";
  reply.message = "at 12:8: expected a power of two";
  reply.retire = true;
  return reply;
}

ParseReply SampleParsed() {
  ParseReply reply;
  reply.ok = true;
  reply.tree = std::make_shared<const json>(
      json{{"kinds", {"Module"}}, {"fields", {""}}, {"strings", json::array()}, {"nodes", ""}});
  return reply;
}

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

std::vector<Sample> WorkerSamples() {
  WorkerHello hello{"compile", 1, std::string(kCroqVersion), 123, "3.11.7", "3.6.0", {}, {}};
  CompileRequest compile{{"/tmp/x.py",
                          "matmul_kernel",
                          SampleParameters(),
                          {{"num_warps", 8}, {"num_stages", 3}, {"num_ctas", 1}},
                          90},
                         "/tmp/out"};
  ParseReply unparsed;
  unparsed.message = "invalid syntax";
  unparsed.line = 3;
  unparsed.column = 7;
  CaptureRequest capture{"/tmp/iter001_x.py", "kernel_fn", Shape("matmul_f16fp32_4096x4096x4096"),
                         SampleDevice(), 60, std::nullopt};
  CaptureRequest brought = capture;
  brought.problem = SampleProblem();
  ReferenceRequest reference{"/tmp/rmsnorm.py", SampleProblem(), "/tmp/in", "/tmp/ref", "cuda:0",
                             true, 120};
  ReferenceReply referenced;
  referenced.ok = true;
  referenced.contract_ms = 0.25;
  referenced.cold_ms = 0.375;
  ReferenceReply unreferenced;
  unreferenced.message = "rmsnorm_reference returned 1 tensor; 2 are wanted: y, residual";
  CaptureReply captured;
  captured.ok = true;
  captured.plan = {{{"matmul_kernel", SampleParameters(), {{"num_warps", 8}, {"num_stages", 3}}}},
                   SampleBuffers(),
                   SampleSteps()};
  captured.returned = "c";
  CaptureReply uncaptured;
  uncaptured.message = "kernel_fn called torch.sort, which a launch plan can't replay";
  InterpretRequest interpret{"/tmp/iter001_x.py",
                             "kernel_fn",
                             Shape("matmul_f16fp32_64x64x64"),
                             {{"NUM_PROGRAMS", std::int64_t{3}}, {"EVICT_A", "evict_last"}},
                             18446744073709551615ull,
                             0.001,
                             60,
                             std::nullopt};
  InterpretReply interpreted;
  interpreted.ok = true;
  interpreted.passed = true;
  interpreted.max_abs_err = 0.000244140625;
  interpreted.worst_ratio = 0.5;
  interpreted.checked_as = "f16fp32";
  InterpretReply uninterpreted;
  uninterpreted.outcome = Outcome::kTimeout;
  uninterpreted.message = "no end within 60 s";
  return {
      {"hello_worker", Encode(hello), Again<WorkerHello, DecodeWorkerHello>},
      {"compile", WithId(Encode(compile), 7), Again<CompileRequest, DecodeCompileRequest>},
      {"compiled", WithId(Encode(SampleCompiled()), 7), Again<CompileReply, DecodeCompileReply>},
      {"compiled_failed", WithId(Encode(SampleCompileFailure()), 7),
       Again<CompileReply, DecodeCompileReply>},
      {"parse", WithId(Encode(ParseRequest{"/tmp/x.py", "x = 1\r\n"}), 8),
       Again<ParseRequest, DecodeParseRequest>},
      {"parsed", WithId(Encode(SampleParsed()), 8), Again<ParseReply, DecodeParseReply>},
      {"parsed_failed", WithId(Encode(unparsed), 8), Again<ParseReply, DecodeParseReply>},
      {"capture", WithId(Encode(capture), 1), Again<CaptureRequest, DecodeCaptureRequest>},
      {"capture_problem", WithId(Encode(brought), 1), Again<CaptureRequest, DecodeCaptureRequest>},
      {"reference", WithId(Encode(reference), 3), Again<ReferenceRequest, DecodeReferenceRequest>},
      {"referenced", WithId(Encode(referenced), 3), Again<ReferenceReply, DecodeReferenceReply>},
      {"referenced_failed", WithId(Encode(unreferenced), 3),
       Again<ReferenceReply, DecodeReferenceReply>},
      {"captured", WithId(Encode(captured), 1), Again<CaptureReply, DecodeCaptureReply>},
      {"captured_failed", WithId(Encode(uncaptured), 1), Again<CaptureReply, DecodeCaptureReply>},
      {"interpret", WithId(Encode(interpret), 2), Again<InterpretRequest, DecodeInterpretRequest>},
      {"interpreted", WithId(Encode(interpreted), 2), Again<InterpretReply, DecodeInterpretReply>},
      {"interpreted_failed", WithId(Encode(uninterpreted), 2),
       Again<InterpretReply, DecodeInterpretReply>},
  };
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
  TrialRequest trial{SamplePlan(), 2, 10, 0.75, 2000, true};
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
