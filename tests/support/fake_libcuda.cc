// A fake libcuda: the functions that the runner resolves, on croq::fake::Device. Opened through
// CROQ_LIBCUDA. Device memory is host memory; kernels are described in fake_cuda_model.h.

#include <cuda.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "croq_runner/kernel_params.h"
#include "support/fake_cuda_model.h"

namespace {

using croq::fake::Function;
using croq::fake::TheDevice;

CUresult State() {
  const std::lock_guard lock(TheDevice().mutex);
  return static_cast<CUresult>(TheDevice().sticky);
}

/// Waits as the real calls do: for ever behind a kernel that never ends.
CUresult Synchronize() {
  while (true) {
    {
      const std::lock_guard lock(TheDevice().mutex);
      if (!TheDevice().hung)
        return static_cast<CUresult>(TheDevice().sticky);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

[[noreturn]] void BlockForEver() {
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

void RunOwnKernel(const std::string& name, unsigned blocks, void** params) {
  using namespace croq::runner;
  if (name == "croq_compare") {
    const auto& p = *static_cast<const CompareParams*>(params[0]);
    auto* shares = reinterpret_cast<CompareShare*>(p.shares);
    std::memset(shares, 0, blocks * sizeof(CompareShare));
    if (TheDevice().output_is_wrong) {
      shares[0].nan_count = 5;
      shares[0].over_bound = 5;
      shares[0].worst_ratio = kNonFiniteRatio;
    }
  } else if (name == "croq_hash") {
    const auto& p = *static_cast<const HashParams*>(params[0]);
    reinterpret_cast<HashPair*>(p.sum)->low += 1 + TheDevice().clobbered;
  }
}

CUresult RunKernel(croq::fake::Kernel& kernel) {
  croq::fake::Device& device = TheDevice();
  device.now_ms += kernel.ms;
  if (kernel.launches++ < kernel.after || kernel.does == "ok")
    return CUDA_SUCCESS;
  if (kernel.does == "wrong")
    device.output_is_wrong = true;
  if (kernel.does == "clobber")
    device.clobbered = 1;
  if (kernel.does == "hang")
    device.hung = true;
  // As on a device: the launch goes well, whoever asks next gets the error.
  if (kernel.does == "illegal")
    device.sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
  return CUDA_SUCCESS;
}

CUresult Launch(Function* function, const unsigned grid[3], unsigned threads, unsigned shared,
                unsigned attributes, void** params) {
  if (function->kernel != nullptr && function->kernel->does == "block" &&
      function->kernel->launches >= function->kernel->after) {
    BlockForEver();
  }
  const std::lock_guard lock(TheDevice().mutex);
  if (TheDevice().sticky != 0)
    return static_cast<CUresult>(TheDevice().sticky);
  if (function->kernel == nullptr) {
    RunOwnKernel(function->name, grid[0], params);
    return CUDA_SUCCESS;
  }
  std::uint64_t first = 0;
  if (params != nullptr)
    std::memcpy(&first, params[0], sizeof first);
  croq::fake::Log("launch " + function->name + " grid " + std::to_string(grid[0]) + "," +
                  std::to_string(grid[1]) + "," + std::to_string(grid[2]) + " threads " +
                  std::to_string(threads) + " shared " + std::to_string(shared) + " attributes " +
                  std::to_string(attributes) + " first " + std::to_string(first));
  return RunKernel(*function->kernel);
}

croq::fake::Event* AsEvent(CUevent event) {
  return reinterpret_cast<croq::fake::Event*>(event);
}
croq::fake::Module* AsModule(CUmodule module) {
  return reinterpret_cast<croq::fake::Module*>(module);
}
Function* AsFunction(CUfunction function) {
  return reinterpret_cast<Function*>(function);
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned) {
  return std::getenv("CROQ_FAKE_CUDA_NO_DEVICE") != nullptr ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** name) {
  switch (error) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
      break;
    case CUDA_ERROR_NO_DEVICE:
      *name = "CUDA_ERROR_NO_DEVICE";
      break;
    case CUDA_ERROR_NOT_FOUND:
      *name = "CUDA_ERROR_NOT_FOUND";
      break;
    default:
      *name = "CUDA_ERROR_OF_THE_FAKE";
  }
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "said by a fake";
  return CUDA_SUCCESS;
}

// ---- device -------------------------------------------------------------------------------------

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (ordinal != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = 9;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *value = 0;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *value = 232448;
      break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      *value = 64 << 10;
      break;
    default:
      *value = 132;
  }
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char* id, int size, CUdevice) {
  std::strncpy(id, "0000:00:00.0", static_cast<std::size_t>(size));
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice) {
  *bytes = size_t{1} << 33;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(&TheDevice());
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) {
  return Synchronize();
}
CUresult cuCtxSetCurrent(CUcontext) {
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = reinterpret_cast<CUcontext>(&TheDevice());
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() {
  return Synchronize();
}

// ---- modules ------------------------------------------------------------------------------------

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  auto* parsed = new croq::fake::Module(croq::fake::ParseModule(static_cast<const char*>(image)));
  if (!parsed->is_ptx && parsed->kernels.empty()) {
    delete parsed;
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *module = reinterpret_cast<CUmodule>(parsed);
  return State();
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, CUjit_option*, void**) {
  return cuModuleLoadData(module, image);
}
CUresult cuModuleUnload(CUmodule module) {
  const CUresult state = Synchronize();
  delete AsModule(module);
  return state;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  croq::fake::Module& owner = *AsModule(module);
  const auto found = owner.kernels.find(name);
  if (found == owner.kernels.end() && !owner.is_ptx)
    return CUDA_ERROR_NOT_FOUND;
  croq::fake::Kernel* kernel = found == owner.kernels.end() ? nullptr : &found->second;
  *function = reinterpret_cast<CUfunction>(&owner.functions.emplace_back(Function{name, kernel}));
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  const croq::fake::Kernel* kernel = AsFunction(function)->kernel;
  *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK && kernel != nullptr
               ? kernel->threads
               : 1024;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) {
  return State();
}
CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) {
  return State();
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size) {
  const croq::fake::Kernel* kernel = AsFunction(function)->kernel;
  if (kernel == nullptr || index >= kernel->params.size())
    return CUDA_ERROR_INVALID_VALUE;
  *offset = 0;
  *size = kernel->params[index];
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned threads,
                        unsigned, unsigned, unsigned shared, CUstream, void** params, void**) {
  const unsigned grid[3] = {x, y, z};
  return Launch(AsFunction(function), grid, threads, shared, 0, params);
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params,
                          void**) {
  const unsigned grid[3] = {config->gridDimX, config->gridDimY, config->gridDimZ};
  return Launch(AsFunction(function), grid, config->blockDimX, config->sharedMemBytes,
                config->numAttrs, params);
}
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType, cuuint32_t rank, void*,
                                const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  map->opaque[0] = rank;
  return State();
}

// ---- memory -------------------------------------------------------------------------------------

CUresult cuMemGetInfo(size_t* free, size_t* total) {
  *free = *total = size_t{1} << 32;
  return State();
}
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) {
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(memory, 0, bytes);
  *pointer = reinterpret_cast<CUdeviceptr>(memory);
  return State();
}
CUresult cuMemFree(CUdeviceptr pointer) {
  const CUresult state = Synchronize();
  std::free(reinterpret_cast<void*>(pointer));
  return state;
}
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned) {
  *pointer = std::calloc(1, bytes);
  return State();
}
CUresult cuMemFreeHost(void* pointer) {
  std::free(pointer);
  return State();
}
CUresult cuMemcpyHtoD(CUdeviceptr target, const void* source, size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(target), source, bytes);
  return Synchronize();
}
CUresult cuMemcpyDtoH(void* target, CUdeviceptr source, size_t bytes) {
  std::memcpy(target, reinterpret_cast<void*>(source), bytes);
  return Synchronize();
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr target, const void* source, size_t bytes, CUstream) {
  std::memcpy(reinterpret_cast<void*>(target), source, bytes);
  return State();
}
CUresult cuMemcpyDtoHAsync(void* target, CUdeviceptr source, size_t bytes, CUstream) {
  std::memcpy(target, reinterpret_cast<void*>(source), bytes);
  return State();
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream) {
  std::memcpy(reinterpret_cast<void*>(target), reinterpret_cast<void*>(source), bytes);
  return State();
}
CUresult cuMemsetD8Async(CUdeviceptr target, unsigned char value, size_t count, CUstream) {
  std::memset(reinterpret_cast<void*>(target), value, count);
  return State();
}
CUresult cuMemsetD16Async(CUdeviceptr target, unsigned short value, size_t count, CUstream) {
  for (size_t i = 0; i < count; ++i) reinterpret_cast<unsigned short*>(target)[i] = value;
  return State();
}
CUresult cuMemsetD32Async(CUdeviceptr target, unsigned value, size_t count, CUstream) {
  for (size_t i = 0; i < count; ++i) reinterpret_cast<unsigned*>(target)[i] = value;
  return State();
}
CUresult cuMemsetD2D32Async(CUdeviceptr target, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream) {
  for (size_t row = 0; row < height; ++row) {
    for (size_t i = 0; i < width; ++i) {
      reinterpret_cast<unsigned*>(target + row * pitch)[i] = value;
    }
  }
  return State();
}

// ---- streams and events -------------------------------------------------------------------------

CUresult cuStreamCreate(CUstream* stream, unsigned) {
  *stream = reinterpret_cast<CUstream>(new int(0));
  return State();
}
CUresult cuStreamDestroy(CUstream stream) {
  delete reinterpret_cast<int*>(stream);
  return State();
}
CUresult cuStreamQuery(CUstream) {
  const std::lock_guard lock(TheDevice().mutex);
  if (TheDevice().sticky != 0)
    return static_cast<CUresult>(TheDevice().sticky);
  return TheDevice().hung ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream) {
  return Synchronize();
}
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) {
  return State();
}
CUresult cuStreamWaitValue32(CUstream, CUdeviceptr address, cuuint32_t value, unsigned) {
  const std::lock_guard lock(TheDevice().mutex);
  TheDevice().gate = reinterpret_cast<const std::uint32_t*>(address);
  TheDevice().gate_value = value;
  croq::fake::Log("hold");
  return static_cast<CUresult>(TheDevice().sticky);
}
CUresult cuStreamBeginCapture(CUstream, CUstreamCaptureMode) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuStreamEndCapture(CUstream, CUgraph*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuEventCreate(CUevent* event, unsigned) {
  *event = reinterpret_cast<CUevent>(new croq::fake::Event);
  return State();
}
CUresult cuEventDestroy(CUevent event) {
  delete AsEvent(event);
  return State();
}
CUresult cuEventRecord(CUevent event, CUstream) {
  const std::lock_guard lock(TheDevice().mutex);
  const croq::fake::Device& device = TheDevice();
  *AsEvent(event) = {device.now_ms, device.hung, device.gate_value};
  return static_cast<CUresult>(device.sticky);
}
CUresult cuEventQuery(CUevent event) {
  const std::lock_guard lock(TheDevice().mutex);
  const croq::fake::Device& device = TheDevice();
  if (device.sticky != 0)
    return static_cast<CUresult>(device.sticky);
  const bool held = device.gate != nullptr &&
                    __atomic_load_n(device.gate, __ATOMIC_ACQUIRE) < AsEvent(event)->gate;
  return AsEvent(event)->behind_hang || held ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent) {
  return Synchronize();
}
CUresult cuEventElapsedTime(float* ms, CUevent first, CUevent last) {
  *ms = static_cast<float>(AsEvent(last)->at_ms - AsEvent(first)->at_ms);
  return State();
}

// ---- graphs: cuBLAS alone uses them, and it is not there
// -------------------------------------------

CUresult cuGraphGetNodes(CUgraph, CUgraphNode*, size_t*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuGraphNodeGetType(CUgraphNode, CUgraphNodeType*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode, CUDA_KERNEL_NODE_PARAMS*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuGraphDestroy(CUgraph) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // extern "C"
