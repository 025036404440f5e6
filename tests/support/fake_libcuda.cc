// A fake libcuda: the functions that the runner resolves, on croq::fake::Device. Opened through
// CROQ_LIBCUDA. Kernels are described in fake_cuda_model.h. Devices, modules and launches are here,
// memory, streams and events in fake_libcuda_memory.cc.

#include <cuda.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "croq_runner/kernel_params.h"
#include "support/fake_cuda_calls.h"
#include "support/fake_cuda_model.h"

namespace {

using croq::fake::BlockForEver;
using croq::fake::Function;
using croq::fake::State;
using croq::fake::Synchronize;
using croq::fake::TheDevice;

void RunOwnKernel(const std::string& name, unsigned blocks, void** params) {
  using namespace croq::runner;
  if (name == "croq_compare" || name == "croq_check") {
    const std::uint64_t at = name == "croq_check"
                                 ? static_cast<const CheckParams*>(params[0])->shares
                                 : static_cast<const CompareParams*>(params[0])->shares;
    auto* shares = reinterpret_cast<CompareShare*>(at);
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

}  // extern "C"
