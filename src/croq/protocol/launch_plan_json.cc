#include "croq/protocol/launch_plan_json.h"

#include <fmt/format.h>

#include "croq/protocol/plan_fields.h"

namespace croq::protocol {
namespace {

using nlohmann::json;

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

/// [offset, offset + bytes) of buffer `index` must lie inside the buffer; bytes 0 asks only for the
/// place.
Status CheckRange(const std::vector<PlanBuffer>& buffers, int index, std::int64_t offset,
                  std::int64_t bytes) {
  if (index < 0 || static_cast<std::size_t>(index) >= buffers.size()) {
    return Failure(fmt::format("buffer {} of {}", index, buffers.size()));
  }
  const PlanBuffer& buffer = buffers[static_cast<std::size_t>(index)];
  if (offset < 0 || bytes < 0 || offset > buffer.bytes || bytes > buffer.bytes - offset) {
    return Failure(fmt::format("{} bytes at {} are outside buffer '{}' of {} bytes", bytes, offset,
                               buffer.name, buffer.bytes));
  }
  return {};
}

Status CheckArgument(const std::vector<PlanBuffer>& buffers, const Argument& argument) {
  return std::visit(Overloaded{[&](const PointerArgument& p) {
                                 return CheckRange(buffers, p.buffer, p.offset, 0);
                               },
                               [&](const ScalarArgument&) { return Status{}; },
                               [&](const DescriptorArgument& d) -> Status {
                                 if (d.shape.size() != d.strides.size()) {
                                   return Failure("a descriptor needs one stride a dimension");
                                 }
                                 return CheckRange(buffers, d.buffer, d.offset, 0);
                               }},
                    argument);
}

Status CheckStep(std::size_t kernels, const std::vector<PlanBuffer>& buffers,
                 const LaunchStep& step) {
  if (step.kernel < 0 || static_cast<std::size_t>(step.kernel) >= kernels) {
    return Failure(fmt::format("kernel {} of {}", step.kernel, kernels));
  }
  for (std::size_t i = 0; i < step.arguments.size(); ++i) {
    const Status checked = CheckArgument(buffers, step.arguments[i]);
    if (!checked)
      return Wrap(checked.error(), fmt::format("argument {}", i));
  }
  return {};
}

Status CheckStep(std::size_t, const std::vector<PlanBuffer>& buffers, const FillStep& step) {
  const std::size_t width = step.pattern.size();
  if (width != 1 && width != 2 && width != 4 && width != 8) {
    return Failure(fmt::format("a fill pattern has 1, 2, 4 or 8 bytes, not {}", width));
  }
  if (step.bytes % static_cast<std::int64_t>(width) != 0) {
    return Failure(fmt::format("{} bytes are no multiple of the pattern's {}", step.bytes, width));
  }
  return CheckRange(buffers, step.buffer, step.offset, step.bytes);
}

Status CheckStep(std::size_t, const std::vector<PlanBuffer>& buffers, const CopyStep& step) {
  CROQ_TRY(CheckRange(buffers, step.source, step.source_offset, step.bytes));
  return CheckRange(buffers, step.target, step.target_offset, step.bytes);
}

/// Writes {"kind": kind, fields...}.
template <typename T>
json Tagged(const char* kind, const T& value) {
  json object = EncodeFields(value);
  object["kind"] = kind;
  return object;
}

template <typename Variant, typename T>
Status DecodeInto(const json& found, Variant& target) {
  T value;
  CROQ_TRY(DecodeFields(found, value));
  target = std::move(value);
  return {};
}

Result<std::string> KindOf(const json& found) {
  std::string kind;
  FieldReader reader(found);
  reader("kind", kind);
  CROQ_TRY(reader.status());
  return kind;
}

}  // namespace

template <typename V>
void Describe(V& visit, typename V::template Ref<PointerArgument> argument) {
  visit("buffer", argument.buffer);
  visit("offset", argument.offset);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<ScalarArgument> argument) {
  visit("type", argument.type);
  visit("integer", argument.integer);
  visit("real", argument.real);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<DescriptorArgument> argument) {
  visit("buffer", argument.buffer);
  visit("offset", argument.offset);
  visit("shape", argument.shape);
  visit("strides", argument.strides);
  visit("nan_padding", argument.nan_padding);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<LaunchStep> step) {
  visit("kernel", step.kernel);
  visit("grid", step.grid);
  visit("arguments", step.arguments);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<FillStep> step) {
  visit("buffer", step.buffer);
  visit("offset", step.offset);
  visit("bytes", step.bytes);
  visit("pattern", step.pattern);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<CopyStep> step) {
  visit("source", step.source);
  visit("source_offset", step.source_offset);
  visit("target", step.target);
  visit("target_offset", step.target_offset);
  visit("bytes", step.bytes);
}

json ToJson(const Argument& value) {
  return std::visit(
      Overloaded{[](const PointerArgument& pointer) { return Tagged("pointer", pointer); },
                 [](const ScalarArgument& scalar) { return Tagged("scalar", scalar); },
                 [](const DescriptorArgument& desc) { return Tagged("descriptor", desc); }},
      value);
}

Status FromJson(const json& found, Argument& value) {
  CROQ_ASSIGN(const std::string kind, KindOf(found));
  if (kind == "pointer")
    return DecodeInto<Argument, PointerArgument>(found, value);
  if (kind == "scalar")
    return DecodeInto<Argument, ScalarArgument>(found, value);
  if (kind == "descriptor")
    return DecodeInto<Argument, DescriptorArgument>(found, value);
  return Failure("field 'kind': expected pointer, scalar or descriptor, found '" + kind + "'");
}

json ToJson(const PlanStep& value) {
  return std::visit(Overloaded{[](const LaunchStep& step) { return Tagged("launch", step); },
                               [](const FillStep& step) { return Tagged("fill", step); },
                               [](const CopyStep& step) { return Tagged("copy", step); }},
                    value);
}

Status FromJson(const json& found, PlanStep& value) {
  CROQ_ASSIGN(const std::string kind, KindOf(found));
  if (kind == "launch")
    return DecodeInto<PlanStep, LaunchStep>(found, value);
  if (kind == "fill")
    return DecodeInto<PlanStep, FillStep>(found, value);
  if (kind == "copy")
    return DecodeInto<PlanStep, CopyStep>(found, value);
  return Failure("field 'kind': expected launch, fill or copy, found '" + kind + "'");
}

Status CheckPlanIndexes(std::size_t kernels, const std::vector<PlanBuffer>& buffers,
                        const std::vector<PlanStep>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Status checked =
        std::visit([&](const auto& step) { return CheckStep(kernels, buffers, step); }, steps[i]);
    if (!checked)
      return Wrap(checked.error(), fmt::format("step {}", i));
  }
  return {};
}

json Encode(const LaunchPlan& plan) {
  return EncodeFields(plan);
}
Result<LaunchPlan> DecodeLaunchPlan(const json& found) {
  return Decode<LaunchPlan>(found);
}

json Encode(const CompiledKernel& kernel) {
  return EncodeFields(kernel);
}
Result<CompiledKernel> DecodeCompiledKernel(const json& found) {
  return Decode<CompiledKernel>(found);
}

}  // namespace croq::protocol
