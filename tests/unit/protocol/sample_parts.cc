#include "sample_parts.h"

namespace croq::protocol {

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

}  // namespace croq::protocol
