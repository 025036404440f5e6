#include "croq/operators/script.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "croq/operators/matmul_calls.h"

namespace croq::operators {
namespace {

constexpr std::string_view kErrorPlaceholder = "<v>";

std::string_view PythonBool(bool value) { return value ? "True" : "False"; }

std::string DotPrecision(DType dtype) {
  const std::string_view precision = FactsOf(dtype).input_precision;
  return precision.empty() ? "" : fmt::format(", input_precision=\"{}\"", precision);
}

std::string_view PrecisionText(DType dtype) {
  switch (dtype) {
    case DType::kF16Fp32:
    case DType::kBf16Fp32:
      return "Half-precision storage, float32 accumulation, torch's own default flags";
    case DType::kF32:
      return "IEEE float32 throughout: tf32 is off";
    case DType::kTf32Fp32:
      return "float32 storage multiplied in tf32";
    case DType::kE4m3Fp32:
      return "FP8 (e4m3) storage, float32 accumulation as fast as the units do it, bfloat16 result";
    case DType::kE4m3Fp16Fp32:
      return "FP8 (e4m3) storage, float32 accumulation, float16 result";
  }
  return "";
}

std::string_view ProblemText(const MatmulProblem& problem) {
  if (problem.block_scaled()) return "C[M, N] = A[M, K] @ B[N, K].T, of FP8 with a scale a block";
  if (problem.scaled()) return "C[M, N] = A[M, K] @ B[N, K].T, of FP8 with a scale a tensor";
  if (problem.b_is_nk()) return "C[M, N] = A[M, K] @ B[N, K].T, as nn.Linear stores its weight";
  return "C[M, N] = A[M, K] @ B[K, N]";
}

std::string_view ProductText(const MatmulProblem& problem) {
  if (problem.scaled()) return "A @ B.T of row-major a [M, K] and b [N, K], scaled";
  if (problem.b_is_nk()) return "A @ B.T of row-major a [M, K] and b [N, K]";
  return "A @ B of row-major a [M, K] and b [K, N]";
}

std::string_view BarText(const MatmulProblem& problem) {
  if (problem.block_scaled()) return "torch.matmul of the operands dequantised to float16";
  if (problem.scaled()) return "torch._scaled_mm with fast accumulation";
  return "torch.matmul at the same precision";
}

/// The arguments of the reference of some rows.
std::string_view ReferenceRows(const MatmulProblem& problem) {
  if (problem.block_scaled()) return "a[row:row + step], b, scale_a[row:row + step], scale_b";
  if (problem.scaled()) return "a[row:row + step], b, scale_a, scale_b";
  return "a[row:row + step], b";
}

/// What depends on the shape alone.
Result<TemplateValues> ProblemValues(const contract::Contract& contract,
                                     const MatmulProblem& problem) {
  const ShapeKey& shape = problem.shape;
  const DTypeFacts& facts = FactsOf(shape.dtype);
  const std::optional<double> tolerance = contract.ToleranceOf(shape.dtype);
  if (!tolerance) {
    return UsageFailure(fmt::format("{} has no tolerance for {}: add a [[verify.tolerance]]",
                                    contract.file.string(), facts.name));
  }
  std::string fail_line = contract.verify.fail_line;
  const std::size_t error_at = fail_line.find(kErrorPlaceholder);
  if (error_at != std::string::npos) {
    fail_line.replace(error_at, kErrorPlaceholder.size(), "{max_abs_err}");
  }
  const bool nk = problem.b_is_nk();
  TemplateValues values;
  if (nk) values.flags.insert("NT");
  if (problem.scaled()) values.flags.insert("SCALED");
  values.flags.insert(problem.block_scaled() ? "BLOCK_SCALED"
                      : problem.scaled()     ? "TENSOR_SCALED"
                                             : "UNSCALED");
  values.texts = {
      {"SHAPE_KEY", shape.text},
      {"M", std::to_string(shape.m)},
      {"N", std::to_string(shape.n)},
      {"K", std::to_string(shape.k)},
      {"TORCH_DTYPE", fmt::format("torch.{}", facts.operand.torch)},
      {"TORCH_RESULT", fmt::format("torch.{}", facts.result.torch)},
      {"RESULT", facts.scaled ? "OUT_DTYPE" : "DTYPE"},
      {"RESULT_FIELD", facts.scaled ? "{OUT_DTYPE}" : "{DTYPE}"},
      {"TRITON_DTYPE", fmt::format("tl.{}", facts.result.torch)},
      {"SCALE_PARAMETERS", facts.scaled ? " scale_a_ptr, scale_b_ptr," : ""},
      {"SCALE_ARGUMENTS", facts.scaled ? " scale_a, scale_b," : ""},
      {"TILE_SCALES", problem.block_scaled() ? " scale_a_ptr, scale_b_ptr," : ""},
      {"MORE_INPUTS", facts.scaled ? ", scale_a, scale_b" : ""},
      {"REFERENCE_ROWS", std::string(ReferenceRows(problem))},
      {"BAR_TEXT", std::string(BarText(problem))},
      {"TOLERANCE", fmt::format("{}", *tolerance)},
      {"DOT_PRECISION", DotPrecision(shape.dtype)},
      {"PRECISION_TEXT", std::string(PrecisionText(shape.dtype))},
      {"ALLOW_TF32", std::string(PythonBool(shape.dtype == DType::kTf32Fp32))},
      {"PROBLEM_TEXT", std::string(ProblemText(problem))},
      {"PRODUCT_TEXT", std::string(ProductText(problem))},
      {"B_SHAPE", nk ? "(N, K)" : "(K, N)"},
      {"B_BLOCK", nk ? "[BLOCK_N, BLOCK_K]" : "[BLOCK_K, BLOCK_N]"},
      {"B_TRANSPOSE", nk ? ".T" : ""},
      {"PASS_LINE", contract.verify.pass_line},
      {"FAIL_LINE", std::move(fail_line)},
      {"WARMUP", std::to_string(contract.bench.warmup)},
      {"ITERATIONS", std::to_string(contract.bench.iterations)},
      {"FLOPS_FORMULA", contract.bench.formula},
      {"BENCH_FORMAT", contract.bench.output_format},
  };
  return values;
}

std::string ConfigText(const MatmulConfig& config) {
  return fmt::format("Tiles of {} x {} x {}, {} warps, {} stages{}", config.block_m, config.block_n,
                     config.block_k, config.num_warps, config.num_stages,
                     config.num_ctas > 1 ? fmt::format(", clusters of {}", config.num_ctas) : "");
}

void AddConfigValues(const MatmulProblem& problem, const MatmulConfig& config,
                     TemplateValues* values) {
  auto& texts = values->texts;
  texts["CONFIG_TEXT"] = ConfigText(config);
  texts["BLOCK_M"] = std::to_string(config.block_m);
  texts["BLOCK_N"] = std::to_string(config.block_n);
  texts["BLOCK_K"] = std::to_string(config.block_k);
  texts["GROUP_M"] = std::to_string(config.group_m);
  texts["EVICT_A"] = config.evict_a;
  texts["EVICT_B"] = config.evict_b;
  texts["EPILOGUE_SPLIT"] = std::to_string(config.epilogue_split);
  texts["FLATTEN"] = PythonBool(config.flatten);
  texts["WARP_SPECIALIZE"] = PythonBool(config.warp_specialize);
  texts["NUM_PROGRAMS"] = std::to_string(config.NumPrograms(problem.device));
  texts["NUM_PROGRAMS_TEXT"] =
      fmt::format("{} SMs, {} program{} on each", problem.device.sm_count, config.programs_per_sm,
                  config.programs_per_sm == 1 ? "" : "s");
  texts["SPLIT_K"] = std::to_string(config.split_k);
  texts["FIXUP_ROWS"] = std::to_string(kFixupRows);
  texts["REDUCE_BLOCK"] = std::to_string(kReduceBlock);
  texts["num_warps"] = std::to_string(config.num_warps);
  texts["num_stages"] = std::to_string(config.num_stages);
  texts["num_ctas"] = std::to_string(config.num_ctas);
}

std::string PythonValue(const ConstexprValue& value) {
  switch (value.kind) {
    case ConstexprValue::Kind::kBool:
      return std::string(PythonBool(value.integer != 0));
    case ConstexprValue::Kind::kString:
      return fmt::format("\"{}\"", value.text);
    default:
      return std::to_string(value.integer);
  }
}

}  // namespace

Result<Script> MatmulScript(const TemplateSet& templates, const contract::Contract& contract,
                            const MatmulProblem& problem, const MatmulConfig& config) {
  CROQ_ASSIGN(TemplateValues values, ProblemValues(contract, problem));
  AddConfigValues(problem, config, &values);
  CROQ_ASSIGN(std::string source, templates.Render(config.variant->name, values));
  return Script{MatmulTag(config), std::move(source)};
}

Result<Script> MatmulBaseline(const TemplateSet& templates, const contract::Contract& contract,
                              const MatmulProblem& problem) {
  CROQ_ASSIGN(const TemplateValues values, ProblemValues(contract, problem));
  CROQ_ASSIGN(std::string source, templates.Render("baseline", values));
  const bool own = problem.scaled() && !problem.block_scaled();
  return Script{own ? "torch_scaled_mm" : contract.baseline.tag, std::move(source)};
}

std::string MatmulTag(const MatmulConfig& config) {
  std::string tag = fmt::format("{}_{}x{}x{}_w{}_s{}", config.variant->tag, config.block_m,
                                config.block_n, config.block_k, config.num_warps,
                                config.num_stages);
  if (config.split_k > 1) tag += fmt::format("_k{}", config.split_k);
  if (config.num_ctas > 1) tag += fmt::format("_c{}", config.num_ctas);
  return tag;
}

std::string MatmulTritonConfig(const MatmulProblem& problem, const MatmulConfig& config) {
  std::string constants;
  for (const BoundParameter& bound : MatmulCalls(problem, config).front().parameters) {
    const KernelParameter& parameter = bound.parameter;
    // M, N, K of 1 and the EVEN_ flags follow from the shape.
    if (parameter.type != "constexpr" || parameter.name.size() == 1 ||
        parameter.name.starts_with("EVEN_")) {
      continue;
    }
    constants += fmt::format("{}\"{}\": {}", constants.empty() ? "" : ", ", parameter.name,
                             PythonValue(parameter.value));
  }
  std::string line = fmt::format("triton.Config({{{}}}, num_warps={}, num_stages={}", constants,
                                 config.num_warps, config.num_stages);
  if (config.num_ctas > 1) line += fmt::format(", num_ctas={}", config.num_ctas);
  return line + ")";
}

}  // namespace croq::operators
