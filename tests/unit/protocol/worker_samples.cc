#include <memory>

#include "croq/protocol/evaluate_messages.h"
#include "sample_parts.h"

namespace croq::protocol {
namespace {

using nlohmann::json;

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

std::vector<Sample> BroughtSamples() {
  CaptureRequest capture{"/tmp/iter001_x.py", "", {}, SampleDevice(), 60, SampleProblem()};
  ReferenceRequest reference{"/tmp/rmsnorm.py", SampleProblem(), "/tmp/in", "/tmp/ref", "cuda:0",
                             true, 120};
  ReferenceReply referenced;
  referenced.ok = true;
  referenced.contract_ms = 0.25;
  referenced.cold_ms = 0.375;
  ReferenceReply unreferenced;
  unreferenced.message = "rmsnorm_reference returned 1 value; wanted are 2: y, residual";
  return {
      {"capture_problem", WithId(Encode(capture), 1), Again<CaptureRequest, DecodeCaptureRequest>},
      {"reference", WithId(Encode(reference), 3), Again<ReferenceRequest, DecodeReferenceRequest>},
      {"referenced", WithId(Encode(referenced), 3), Again<ReferenceReply, DecodeReferenceReply>},
      {"referenced_failed", WithId(Encode(unreferenced), 3),
       Again<ReferenceReply, DecodeReferenceReply>},
  };
}

std::vector<Sample> MatmulSamples() {
  CaptureRequest capture{"/tmp/iter001_x.py", "kernel_fn", Shape("matmul_f16fp32_4096x4096x4096"),
                         SampleDevice(), 60, std::nullopt};
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
      {"capture", WithId(Encode(capture), 1), Again<CaptureRequest, DecodeCaptureRequest>},
      {"captured", WithId(Encode(captured), 1), Again<CaptureReply, DecodeCaptureReply>},
      {"captured_failed", WithId(Encode(uncaptured), 1), Again<CaptureReply, DecodeCaptureReply>},
      {"interpret", WithId(Encode(interpret), 2), Again<InterpretRequest, DecodeInterpretRequest>},
      {"interpreted", WithId(Encode(interpreted), 2), Again<InterpretReply, DecodeInterpretReply>},
      {"interpreted_failed", WithId(Encode(uninterpreted), 2),
       Again<InterpretReply, DecodeInterpretReply>},
  };
}

std::vector<Sample> EvaluateSamples() {
  EvaluateRequest evaluate{"/tmp/x.py", {{"M", 4096}}, SampleDevice(), 60};
  const EvaluatedConfig made{
      {{"BM", {{"value", 64}}}, {"T", {{"text", "fp16"}}}}, {{"num_warps", 4}}, true};
  EvaluateReply evaluated;
  evaluated.ok = true;
  evaluated.kernels = {{"Op.k", "k", 12, {made, made}, true, {made}, ""},
                       {"other", "k", 12, {made}, false, {}, "pruner removed all 1 configs"}};
  EvaluateReply unevaluated;
  unevaluated.message = "importing it failed: ModuleNotFoundError: No module named 'x'";
  return {
      {"evaluate", WithId(Encode(evaluate), 4), Again<EvaluateRequest, DecodeEvaluateRequest>},
      {"evaluated", WithId(Encode(evaluated), 4), Again<EvaluateReply, DecodeEvaluateReply>},
      {"evaluated_failed", WithId(Encode(unevaluated), 4),
       Again<EvaluateReply, DecodeEvaluateReply>},
  };
}

std::vector<Sample> CompileSamples() {
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
  };
}

}  // namespace

std::vector<Sample> WorkerSamples() {
  std::vector<Sample> samples = CompileSamples();
  for (auto part : {MatmulSamples(), BroughtSamples(), EvaluateSamples()}) {
    samples.insert(samples.end(), part.begin(), part.end());
  }
  return samples;
}

}  // namespace croq::protocol
