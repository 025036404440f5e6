#pragma once

#include <cuda.h>

#include <memory>
#include <variant>
#include <vector>

#include "croq/model/device.h"
#include "croq/model/launch_plan.h"
#include "croq_runner/argument_block.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"
#include "croq_runner/fault.h"
#include "croq_runner/launch_shape.h"
#include "croq_runner/operand_sets.h"
#include "croq_runner/plan_loader.h"

namespace croq::runner {

/// A plan that is loaded and has its arguments packed for every input set, so that a launch is one
/// driver call a step. The plan's own scratch is allocated once and shared by the sets: launches
/// follow each other on one stream.
class PlanLauncher {
 public:
  /// Everything that can go wrong before a launch is the candidate's fault: a plan that does not
  /// fit the kernel, a descriptor that can't be encoded, scratch that does not fit into memory.
  static Ran<std::unique_ptr<PlanLauncher>> Create(const Driver& driver, const LaunchPlan& plan,
                                                   const OperandPlaces& places,
                                                   const DeviceFacts& device);

  /// All steps of the plan on operands `set`. Asynchronous.
  Ran<void> Launch(int set, CUstream stream);

  /// Entries of the device's launch queue that one launch takes, or a few more.
  int QueueEntries() const { return 2 * static_cast<int>(steps_.size()); }

  /// Fills the plan's own scratch with 0xFF bytes. Asynchronous.
  Ran<void> PoisonScratch(CUstream stream);

 private:
  struct ReadyLaunch {
    CUfunction function = nullptr;
    LaunchShape shape;
    std::vector<ArgumentBlock> blocks;  ///< one an input set
    CUdeviceptr scratch = 0;
  };
  struct ReadyFill {
    std::vector<CUdeviceptr> targets;  ///< one an input set
    std::int64_t bytes = 0;
    std::vector<std::uint8_t> pattern;
  };
  struct ReadyCopy {
    std::vector<CUdeviceptr> sources;
    std::vector<CUdeviceptr> targets;
    std::int64_t bytes = 0;
  };
  using ReadyStep = std::variant<ReadyLaunch, ReadyFill, ReadyCopy>;

  PlanLauncher(const Driver& driver, const OperandPlaces& places)
      : driver_(driver), places_(places) {}

  Ran<void> AllocateBuffers(const LaunchPlan& plan);
  Ran<void> PrepareStep(const LaunchPlan& plan, const LaunchStep& step);
  Ran<void> PrepareStep(const LaunchPlan& plan, const FillStep& step);
  Ran<void> PrepareStep(const LaunchPlan& plan, const CopyStep& step);
  Ran<ArgumentBlock> PackArguments(const LaunchStep& step, const CompiledKernel& kernel,
                                   std::size_t set, CUdeviceptr scratch,
                                   CUdeviceptr profile_scratch);
  Ran<void> AddDescriptor(const DescriptorArgument& argument,
                          const CompiledKernel::TensorDescMeta& meta, std::size_t set,
                          ArgumentBlock* block);
  Ran<CUdeviceptr> AllocateScratch(const LaunchShape& shape, std::int64_t per_block);
  CUdeviceptr AddressOf(int buffer, std::int64_t offset, std::size_t set) const;
  std::vector<CUdeviceptr> AddressesOf(int buffer, std::int64_t offset) const;

  Ran<void> Run(ReadyLaunch& step, std::size_t set, CUstream stream);
  Ran<void> Run(ReadyFill& step, std::size_t set, CUstream stream);
  Ran<void> Run(ReadyCopy& step, std::size_t set, CUstream stream);

  std::size_t sets() const { return static_cast<std::size_t>(places_.sets); }

  const Driver& driver_;
  OperandPlaces places_;
  std::vector<LoadedKernel> kernels_;
  std::vector<std::vector<CUdeviceptr>> buffers_;  ///< [buffer][set]
  std::vector<DeviceBuffer> plan_scratch_;         ///< the plan's own buffers
  std::vector<DeviceBuffer> launch_scratch_;       ///< what Triton's launcher would allocate
  std::vector<ReadyStep> steps_;
};

}  // namespace croq::runner
