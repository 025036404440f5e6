#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "croq/model/runner_messages.h"
#include "croq_runner/device_facts.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"
#include "croq_runner/operands.h"

namespace croq::runner {

/// Device 0 with its context and a stream, opened once for all tests; skips where there is none.
class GpuTest : public testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
  void SetUp() override;

  static const Driver& driver() { return *state_->driver; }
  static const DeviceFacts& facts() { return state_->facts; }
  static CUstream stream() { return state_->stream.get(); }

  /// The shape, the dtype's contract tolerance, and the libraries of cuBLAS.
  static PrepareRequest Request(const std::string& shape);
  static std::unique_ptr<Operands> MakeOperands(const PrepareRequest& request);

  static std::vector<unsigned char> Download(CUdeviceptr from, std::int64_t bytes);
  static void Upload(CUdeviceptr to, const std::vector<unsigned char>& bytes);

  /// Empty where there is no libcublas.
  static BaselineLibraries FindLibraries();

 private:
  struct State {
    std::unique_ptr<Driver> driver;
    std::optional<Context> context;
    Stream stream;
    DeviceFacts facts;
  };
  static std::unique_ptr<State> state_;
  static std::string problem_;  ///< why there is no state
};

}  // namespace croq::runner
