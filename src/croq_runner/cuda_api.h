#pragma once

#include <cuda.h>

/// The functions of libcuda that the runner calls, resolved at run time (driver.cc).
///
/// X(member, prototype, symbol): `member` is the name without `cu`; `prototype` is cuda.h's
/// declaration, taken for its type alone (cuda.h's macros give it the version suffix too);
/// `symbol` is what is looked up. Symbols carry their version in full: the unsuffixed names of
/// libcuda are the 32-bit ABI of CUDA 3. All are in every driver of CUDA 12.
#define CROQ_CUDA_REQUIRED(X)                                                       \
  X(Init, cuInit, "cuInit")                                                         \
  X(DriverGetVersion, cuDriverGetVersion, "cuDriverGetVersion")                     \
  X(GetErrorName, cuGetErrorName, "cuGetErrorName")                                 \
  X(GetErrorString, cuGetErrorString, "cuGetErrorString")                           \
  X(DeviceGet, cuDeviceGet, "cuDeviceGet")                                          \
  X(DeviceGetCount, cuDeviceGetCount, "cuDeviceGetCount")                           \
  X(DeviceGetName, cuDeviceGetName, "cuDeviceGetName")                              \
  X(DeviceGetAttribute, cuDeviceGetAttribute, "cuDeviceGetAttribute")               \
  X(DeviceGetPCIBusId, cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId")                  \
  X(DeviceTotalMem, cuDeviceTotalMem, "cuDeviceTotalMem_v2")                        \
  X(DevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain")   \
  X(DevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2") \
  X(CtxSetCurrent, cuCtxSetCurrent, "cuCtxSetCurrent")                              \
  X(CtxGetCurrent, cuCtxGetCurrent, "cuCtxGetCurrent")                              \
  X(CtxGetDevice, cuCtxGetDevice, "cuCtxGetDevice")                                 \
  X(CtxSynchronize, cuCtxSynchronize, "cuCtxSynchronize")                           \
  X(ModuleLoadData, cuModuleLoadData, "cuModuleLoadData")                           \
  X(ModuleLoadDataEx, cuModuleLoadDataEx, "cuModuleLoadDataEx")                     \
  X(ModuleUnload, cuModuleUnload, "cuModuleUnload")                                 \
  X(ModuleGetFunction, cuModuleGetFunction, "cuModuleGetFunction")                  \
  X(FuncGetAttribute, cuFuncGetAttribute, "cuFuncGetAttribute")                     \
  X(FuncSetAttribute, cuFuncSetAttribute, "cuFuncSetAttribute")                     \
  X(FuncSetCacheConfig, cuFuncSetCacheConfig, "cuFuncSetCacheConfig")               \
  X(LaunchKernel, cuLaunchKernel, "cuLaunchKernel")                                 \
  X(LaunchKernelEx, cuLaunchKernelEx, "cuLaunchKernelEx")                           \
  X(TensorMapEncodeTiled, cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled")         \
  X(MemGetInfo, cuMemGetInfo, "cuMemGetInfo_v2")                                    \
  X(MemAlloc, cuMemAlloc, "cuMemAlloc_v2")                                          \
  X(MemFree, cuMemFree, "cuMemFree_v2")                                             \
  X(MemHostAlloc, cuMemHostAlloc, "cuMemHostAlloc")                                 \
  X(MemFreeHost, cuMemFreeHost, "cuMemFreeHost")                                    \
  X(MemcpyHtoD, cuMemcpyHtoD, "cuMemcpyHtoD_v2")                                    \
  X(MemcpyDtoH, cuMemcpyDtoH, "cuMemcpyDtoH_v2")                                    \
  X(MemcpyHtoDAsync, cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2")                     \
  X(MemcpyDtoHAsync, cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2")                     \
  X(MemcpyDtoDAsync, cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2")                     \
  X(MemsetD8Async, cuMemsetD8Async, "cuMemsetD8Async")                              \
  X(MemsetD16Async, cuMemsetD16Async, "cuMemsetD16Async")                           \
  X(MemsetD32Async, cuMemsetD32Async, "cuMemsetD32Async")                           \
  X(MemsetD2D32Async, cuMemsetD2D32Async, "cuMemsetD2D32Async")                     \
  X(StreamCreate, cuStreamCreate, "cuStreamCreate")                                 \
  X(StreamDestroy, cuStreamDestroy, "cuStreamDestroy_v2")                           \
  X(StreamQuery, cuStreamQuery, "cuStreamQuery")                                    \
  X(StreamSynchronize, cuStreamSynchronize, "cuStreamSynchronize")                  \
  X(StreamWaitEvent, cuStreamWaitEvent, "cuStreamWaitEvent")                        \
  X(StreamBeginCapture, cuStreamBeginCapture, "cuStreamBeginCapture_v2")            \
  X(StreamEndCapture, cuStreamEndCapture, "cuStreamEndCapture")                     \
  X(EventCreate, cuEventCreate, "cuEventCreate")                                    \
  X(EventDestroy, cuEventDestroy, "cuEventDestroy_v2")                              \
  X(EventRecord, cuEventRecord, "cuEventRecord")                                    \
  X(EventQuery, cuEventQuery, "cuEventQuery")                                       \
  X(EventSynchronize, cuEventSynchronize, "cuEventSynchronize")                     \
  X(EventElapsedTime, cuEventElapsedTime, "cuEventElapsedTime")                     \
  X(GraphGetNodes, cuGraphGetNodes, "cuGraphGetNodes")                              \
  X(GraphNodeGetType, cuGraphNodeGetType, "cuGraphNodeGetType")                     \
  X(GraphKernelNodeGetParams, cuGraphKernelNodeGetParams, "cuGraphKernelNodeGetParams_v2") \
  X(GraphDestroy, cuGraphDestroy, "cuGraphDestroy")

/// Newer than the oldest driver supported (CUDA 12.4 brought cuFuncGetParamInfo, 12.3 the names), or
/// not offered everywhere (stream memory operations):
/// null where the driver has none, so callers test them.
#define CROQ_CUDA_OPTIONAL(X)                                                       \
  X(FuncGetParamInfo, cuFuncGetParamInfo, "cuFuncGetParamInfo")                     \
  X(FuncGetName, cuFuncGetName, "cuFuncGetName")                                    \
  X(KernelGetName, cuKernelGetName, "cuKernelGetName")                              \
  X(StreamWaitValue32, cuStreamWaitValue32, "cuStreamWaitValue32_v2")

namespace croq::runner {

/// One pointer a function; `api.MemAlloc(&pointer, bytes)` calls cuMemAlloc_v2.
struct CudaApi {
#define CROQ_CUDA_MEMBER(member, prototype, symbol) decltype(&::prototype) member = nullptr;
  CROQ_CUDA_REQUIRED(CROQ_CUDA_MEMBER)
  CROQ_CUDA_OPTIONAL(CROQ_CUDA_MEMBER)
#undef CROQ_CUDA_MEMBER
};

}  // namespace croq::runner
