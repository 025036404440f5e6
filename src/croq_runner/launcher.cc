#include "croq_runner/launcher.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "croq_runner/tensor_map.h"

namespace croq::runner {
namespace {

/// The driver's error has no context here: memory that is short is not a lost context.
tl::unexpected<Fault> Refused(const Error& error) {
  return Refusal(error.message);
}

Ran<const OperandPlace*> PlaceOf(const PlanBuffer& buffer, const OperandPlaces& places) {
  for (const OperandPlace& place : places.operands) {
    if (place.name != buffer.name)
      continue;
    if (place.bytes != buffer.bytes) {
      return Refusal(fmt::format("operand {} has {} bytes here, {} in the plan", buffer.name,
                                 place.bytes, buffer.bytes));
    }
    return &place;
  }
  return Refusal(
      fmt::format("the plan's buffer '{}' is neither an operand nor scratch", buffer.name));
}

}  // namespace

Ran<std::unique_ptr<PlanLauncher>> PlanLauncher::Create(const Driver& driver,
                                                        const LaunchPlan& plan,
                                                        const OperandPlaces& places,
                                                        const DeviceFacts& device) {
  std::unique_ptr<PlanLauncher> launcher(new PlanLauncher(driver, places));
  for (const CompiledKernel& kernel : plan.kernels) {
    CROQ_ASSIGN(LoadedKernel loaded, LoadKernel(driver, kernel, device));
    launcher->kernels_.push_back(std::move(loaded));
  }
  CROQ_TRY(launcher->AllocateBuffers(plan));
  for (const PlanStep& step : plan.steps) {
    CROQ_TRY(
        std::visit([&](const auto& typed) { return launcher->PrepareStep(plan, typed); }, step));
  }
  return launcher;
}

Ran<void> PlanLauncher::AllocateBuffers(const LaunchPlan& plan) {
  for (const PlanBuffer& buffer : plan.buffers) {
    std::vector<CUdeviceptr>& addresses = buffers_.emplace_back();
    if (buffer.scratch) {
      if (buffer.bytes < 0)
        return Refusal("a scratch buffer of negative size");
      // An empty tensor still has an address.
      const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(buffer.bytes, 256));
      auto memory = DeviceBuffer::Create(driver_, bytes, "scratch " + buffer.name);
      if (!memory)
        return Refused(memory.error());
      addresses.assign(sets(), memory->get());
      plan_scratch_.push_back(std::move(*memory));
      continue;
    }
    CROQ_ASSIGN(const OperandPlace* const place, PlaceOf(buffer, places_));
    addresses = place->sets;
  }
  return {};
}

CUdeviceptr PlanLauncher::AddressOf(int buffer, std::int64_t offset, std::size_t set) const {
  return buffers_[static_cast<std::size_t>(buffer)][set] + static_cast<CUdeviceptr>(offset);
}

std::vector<CUdeviceptr> PlanLauncher::AddressesOf(int buffer, std::int64_t offset) const {
  std::vector<CUdeviceptr> addresses;
  for (std::size_t set = 0; set < sets(); ++set) {
    addresses.push_back(AddressOf(buffer, offset, set));
  }
  return addresses;
}

Ran<CUdeviceptr> PlanLauncher::AllocateScratch(const LaunchShape& shape, std::int64_t per_block) {
  const Result<std::int64_t> bytes = ScratchBytes(shape, per_block);
  if (!bytes)
    return Refused(bytes.error());
  if (*bytes == 0)
    return CUdeviceptr{0};
  auto memory = DeviceBuffer::Create(driver_, static_cast<std::size_t>(*bytes), "launch scratch");
  if (!memory)
    return Refused(memory.error());
  launch_scratch_.push_back(std::move(*memory));
  return launch_scratch_.back().get();
}

Ran<void> PlanLauncher::PrepareStep(const LaunchPlan& plan, const LaunchStep& step) {
  const auto index = static_cast<std::size_t>(step.kernel);
  const CompiledKernel& kernel = plan.kernels[index];
  ReadyLaunch ready;
  ready.function = kernels_[index].function;
  Result<LaunchShape> shape = MakeLaunchShape(kernel, step.grid);
  if (!shape)
    return Refused(shape.error());
  ready.shape = std::move(*shape);
  CROQ_ASSIGN(const CUdeviceptr scratch, AllocateScratch(ready.shape, kernel.global_scratch_bytes));
  CROQ_ASSIGN(const CUdeviceptr profile,
              AllocateScratch(ready.shape, kernel.profile_scratch_bytes));
  for (std::size_t set = 0; set < sets(); ++set) {
    CROQ_ASSIGN(ArgumentBlock block, PackArguments(step, kernel, set, scratch, profile));
    ready.blocks.push_back(std::move(block));
  }
  if (!ready.blocks.empty()) {
    CROQ_TRY(CheckParameters(driver_, ready.function, ready.blocks.front()));
  }
  steps_.emplace_back(std::move(ready));
  return {};
}

Ran<ArgumentBlock> PlanLauncher::PackArguments(const LaunchStep& step, const CompiledKernel& kernel,
                                               std::size_t set, CUdeviceptr scratch,
                                               CUdeviceptr profile_scratch) {
  ArgumentBlock block;
  std::size_t descriptors = 0;
  for (const Argument& argument : step.arguments) {
    if (const auto* pointer = std::get_if<PointerArgument>(&argument)) {
      block.AddPointer(AddressOf(pointer->buffer, pointer->offset, set));
    } else if (const auto* scalar = std::get_if<ScalarArgument>(&argument)) {
      if (const Status added = block.AddScalar(*scalar); !added)
        return Refused(added.error());
    } else {
      if (descriptors >= kernel.tensordesc_meta.size()) {
        return Refusal(
            fmt::format("the plan passes more tensor descriptors than the {} of kernel {}",
                        kernel.tensordesc_meta.size(), kernel.entry));
      }
      CROQ_TRY(AddDescriptor(std::get<DescriptorArgument>(argument),
                             kernel.tensordesc_meta[descriptors++], set, &block));
    }
  }
  // The ABI's trailing pointers: global scratch, and from Triton 3.5 the profiler's.
  if (kernel.scratch_parameters > 0)
    block.AddPointer(scratch);
  if (kernel.scratch_parameters > 1)
    block.AddPointer(profile_scratch);
  return block;
}

/// A host descriptor is three things to the kernel: the map, the shape, the strides.
Ran<void> PlanLauncher::AddDescriptor(const DescriptorArgument& argument,
                                      const CompiledKernel::TensorDescMeta& meta, std::size_t set,
                                      ArgumentBlock* block) {
  const Result<TensorMapParams> params = MakeTensorMapParams(argument, meta);
  if (!params)
    return Refused(params.error());
  alignas(128) CUtensorMap map{};
  const Status encoded =
      EncodeTensorMap(driver_, *params, AddressOf(argument.buffer, argument.offset, set), &map);
  if (!encoded)
    return Refused(encoded.error());
  block->AddTensorMap(map);
  for (const std::int64_t extent : argument.shape) {
    const Status added = block->AddScalar(ScalarArgument{"i32", extent, 0});
    if (!added)
      return Refused(added.error());
  }
  for (const std::int64_t stride : argument.strides) block->AddInt64(stride);
  return {};
}

Ran<void> PlanLauncher::PrepareStep(const LaunchPlan&, const FillStep& step) {
  steps_.emplace_back(ReadyFill{AddressesOf(step.buffer, step.offset), step.bytes, step.pattern});
  return {};
}

Ran<void> PlanLauncher::PrepareStep(const LaunchPlan&, const CopyStep& step) {
  steps_.emplace_back(ReadyCopy{AddressesOf(step.source, step.source_offset),
                                AddressesOf(step.target, step.target_offset), step.bytes});
  return {};
}

Ran<void> PlanLauncher::Launch(int set, CUstream stream) {
  for (ReadyStep& step : steps_) {
    CROQ_TRY(std::visit(
        [&](auto& typed) { return Run(typed, static_cast<std::size_t>(set), stream); }, step));
  }
  return {};
}

Ran<void> PlanLauncher::Run(ReadyLaunch& step, std::size_t set, CUstream stream) {
  if (step.shape.empty)
    return {};
  const CUlaunchConfig config = step.shape.Config(stream);
  return Checked(
      driver_, driver_.LaunchKernelEx(&config, step.function, step.blocks[set].Pointers(), nullptr),
      "cuLaunchKernelEx");
}

Ran<void> PlanLauncher::Run(ReadyFill& step, std::size_t set, CUstream stream) {
  const CUdeviceptr target = step.targets[set];
  const auto count = static_cast<std::size_t>(step.bytes) / step.pattern.size();
  if (count == 0)
    return {};
  std::uint32_t words[2] = {0, 0};
  std::memcpy(words, step.pattern.data(), step.pattern.size());
  CUresult result = CUDA_SUCCESS;
  switch (step.pattern.size()) {
    case 1:
      result = driver_.MemsetD8Async(target, step.pattern[0], count, stream);
      break;
    case 2:
      result = driver_.MemsetD16Async(target, static_cast<unsigned short>(words[0]), count, stream);
      break;
    case 4:
      result = driver_.MemsetD32Async(target, words[0], count, stream);
      break;
    default:
      // Two interleaved columns of 32-bit words, 8 bytes apart.
      result = driver_.MemsetD2D32Async(target, 8, words[0], 1, count, stream);
      if (result == CUDA_SUCCESS) {
        result = driver_.MemsetD2D32Async(target + 4, 8, words[1], 1, count, stream);
      }
  }
  return Checked(driver_, result, "filling a buffer");
}

Ran<void> PlanLauncher::Run(ReadyCopy& step, std::size_t set, CUstream stream) {
  if (step.bytes == 0)
    return {};
  return Checked(driver_,
                 driver_.MemcpyDtoDAsync(step.targets[set], step.sources[set],
                                         static_cast<std::size_t>(step.bytes), stream),
                 "copying a buffer");
}

Ran<void> PlanLauncher::PoisonScratch(CUstream stream) {
  for (const DeviceBuffer& memory : plan_scratch_) {
    CROQ_TRY(Checked(driver_, driver_.MemsetD8Async(memory.get(), 0xFF, memory.bytes(), stream),
                     "poisoning scratch"));
  }
  return {};
}

}  // namespace croq::runner
