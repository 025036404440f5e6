// The fake libcuda's memory, streams, events and graphs. Device memory is host memory.

#include <cuda.h>

#include <cstdlib>
#include <cstring>

#include "support/fake_cuda_calls.h"

// The header of CUDA 13 gives it a suffix that the driver's first name lacks.
#undef cuEventElapsedTime

namespace {

using croq::fake::AsEvent;
using croq::fake::State;
using croq::fake::Synchronize;
using croq::fake::TheDevice;

}  // namespace

extern "C" {

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
/// A megabyte a millisecond, so that a copy within something timed is seen.
CUresult cuMemcpyDtoDAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream) {
  {
    const std::lock_guard lock(TheDevice().mutex);
    TheDevice().now_ms += static_cast<double>(bytes) / 1e6;
    croq::fake::Log("copy " + std::to_string(bytes) + " to " + std::to_string(target));
  }
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

// ---- graphs: only cuBLAS uses them, and it is not there -----------------------------------------

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
