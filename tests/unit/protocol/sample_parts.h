#pragma once

#include <string>
#include <vector>

#include "croq/protocol/messages.h"
#include "samples.h"

/// What samples of several messages share.
namespace croq::protocol {

template <typename T, Result<T> (*Decoder)(const nlohmann::json&)>
nlohmann::json Again(const nlohmann::json& message) {
  const auto value = Decoder(message);
  if (!value)
    return nlohmann::json{{"decode_error", value.error().message}};
  nlohmann::json again = Encode(*value);
  if (message.contains("id"))
    again["id"] = message["id"];
  return again;
}

ShapeKey Shape(const std::string& text);
CompiledKernel SampleKernel();
std::vector<KernelParameter> SampleParameters();
std::vector<PlanBuffer> SampleBuffers();
std::vector<PlanStep> SampleSteps();
LaunchPlan SamplePlan();
DeviceFacts SampleDevice();
Problem SampleProblem();

std::vector<Sample> WorkerSamples();

}  // namespace croq::protocol
