#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "croq/protocol/messages.h"

namespace croq::protocol {
namespace {

using nlohmann::json;

std::int64_t Between(std::int64_t low, std::int64_t high) {
  return *rc::gen::inRange<std::int64_t>(low, high + 1);
}

std::string Text() {
  return *rc::gen::string<std::string>();
}

/// Text that is UTF-8 for sure.
std::string Name() {
  return *rc::gen::container<std::string>(rc::gen::inRange('a', '{'));
}

CompiledKernel AnyKernel() {
  CompiledKernel kernel;
  kernel.cubin_path = Name();
  kernel.entry = Name();
  kernel.num_warps = *rc::gen::arbitrary<int>();
  kernel.shared_bytes = *rc::gen::arbitrary<std::int64_t>();
  kernel.cooperative = *rc::gen::arbitrary<bool>();
  for (std::int64_t i = Between(0, 2); i > 0; --i) {
    kernel.tensordesc_meta.push_back({3, 2, 6, *rc::gen::arbitrary<std::vector<std::int64_t>>()});
  }
  return kernel;
}

Argument AnyArgument(const LaunchPlan& plan) {
  const auto buffer =
      static_cast<int>(Between(0, static_cast<std::int64_t>(plan.buffers.size()) - 1));
  const std::int64_t offset = Between(0, plan.buffers[static_cast<std::size_t>(buffer)].bytes);
  switch (Between(0, 2)) {
    case 0:
      return PointerArgument{buffer, offset};
    case 1:
      return ScalarArgument{Name(), *rc::gen::arbitrary<std::int64_t>(),
                            *rc::gen::arbitrary<double>()};
    default: {
      const auto shape = *rc::gen::arbitrary<std::vector<std::int64_t>>();
      return DescriptorArgument{buffer, offset, shape, shape, *rc::gen::arbitrary<bool>()};
    }
  }
}

PlanStep AnyStep(const LaunchPlan& plan) {
  const auto buffer =
      static_cast<int>(Between(0, static_cast<std::int64_t>(plan.buffers.size()) - 1));
  switch (Between(0, 2)) {
    case 0: {
      LaunchStep step;
      step.grid = {Between(1, 1 << 20), Between(1, 9), Between(1, 9)};
      for (std::int64_t i = Between(0, 5); i > 0; --i) step.arguments.push_back(AnyArgument(plan));
      return step;
    }
    case 1:
      return FillStep{buffer, 0, 8 * Between(0, 2), std::vector<std::uint8_t>(8, 0xff)};
    default:
      return CopyStep{buffer, 0, buffer, Between(0, 8), 8};
  }
}

LaunchPlan AnyPlan() {
  LaunchPlan plan;
  plan.kernels = {AnyKernel()};
  for (std::int64_t i = Between(1, 4); i > 0; --i) {
    plan.buffers.push_back({Name(), Between(16, 1ll << 40), *rc::gen::arbitrary<bool>()});
  }
  for (std::int64_t i = Between(0, 4); i > 0; --i) plan.steps.push_back(AnyStep(plan));
  return plan;
}

RC_GTEST_PROP(LaunchPlanProperty, EncodedIsDecoded, ()) {
  const json encoded = Encode(AnyPlan());
  const auto decoded = DecodeLaunchPlan(json::parse(encoded.dump()));
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(Encode(*decoded) == encoded);
}

/// Whatever a field is replaced by, decoding ends in a value or an error.
RC_GTEST_PROP(LaunchPlanProperty, AnyReplacementIsHandled, ()) {
  json encoded = json{{"plan", Encode(AnyPlan())}}.flatten();
  const auto at =
      static_cast<std::ptrdiff_t>(Between(0, static_cast<std::int64_t>(encoded.size()) - 1));
  auto item = encoded.begin();
  std::advance(item, at);
  const json replacements = {nullptr, -1, 1e300, "text", true, 18446744073709551615ull};
  *item = replacements[static_cast<std::size_t>(Between(0, 5))];
  const auto decoded = DecodeLaunchPlan(encoded.unflatten()["plan"]);
  if (decoded) {
    RC_ASSERT(DecodeLaunchPlan(Encode(*decoded)).has_value());
  } else {
    RC_ASSERT(!decoded.error().message.empty());
  }
}

RC_GTEST_PROP(MessageProperty, AnyTextSurvivesAsUtf8, ()) {
  TrialReply reply;
  reply.reason = Text();
  const std::string text = Encode(reply).dump(-1, ' ', false, json::error_handler_t::replace);
  RC_ASSERT(DecodeTrialReply(json::parse(text)).has_value());
}

}  // namespace
}  // namespace croq::protocol
