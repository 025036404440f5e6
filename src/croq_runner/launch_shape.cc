#include "croq_runner/launch_shape.h"

#include <fmt/format.h>

namespace croq::runner {
namespace {

constexpr std::int64_t kMaxGridX = 2147483647;
constexpr std::int64_t kMaxGridYz = 65535;
constexpr std::int64_t kMaxScratch = std::int64_t{1} << 40;

std::vector<CUlaunchAttribute> AttributesOf(const CompiledKernel& kernel) {
  std::vector<CUlaunchAttribute> attributes;
  const auto add = [&](CUlaunchAttributeID id) -> CUlaunchAttributeValue& {
    CUlaunchAttribute attribute{};
    attribute.id = id;
    return attributes.emplace_back(attribute).value;
  };
  if (kernel.programmatic_dependent_launch) {
    add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
        .programmaticStreamSerializationAllowed = 1;
  }
  if (kernel.cooperative)
    add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
  if (kernel.num_ctas != 1) {
    CUlaunchAttributeValue& cluster = add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
    cluster.clusterDim.x = static_cast<unsigned>(kernel.num_ctas);
    cluster.clusterDim.y = 1;
    cluster.clusterDim.z = 1;
    add(CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE)
        .clusterSchedulingPolicyPreference = CU_CLUSTER_SCHEDULING_POLICY_SPREAD;
  }
  return attributes;
}

}  // namespace

CUlaunchConfig LaunchShape::Config(CUstream stream) const {
  CUlaunchConfig config{};
  config.gridDimX = grid[0];
  config.gridDimY = grid[1];
  config.gridDimZ = grid[2];
  config.blockDimX = threads;
  config.blockDimY = 1;
  config.blockDimZ = 1;
  config.sharedMemBytes = shared_bytes;
  config.hStream = stream;
  // The driver's struct is not const-correct; it only reads.
  config.attrs = const_cast<CUlaunchAttribute*>(attributes.data());
  config.numAttrs = static_cast<unsigned>(attributes.size());
  return config;
}

Result<LaunchShape> MakeLaunchShape(const CompiledKernel& kernel,
                                    const std::array<std::int64_t, 3>& programs) {
  if (kernel.num_warps < 1 || kernel.num_warps > 32) {
    return Failure(fmt::format("{} warps a block (a block has at most 32)", kernel.num_warps));
  }
  if (kernel.num_ctas < 1 || kernel.num_ctas > 16) {
    return Failure(fmt::format("{} blocks a cluster (a cluster has at most 16)", kernel.num_ctas));
  }
  const auto [x, y, z] = programs;
  if (x < 0 || y < 0 || z < 0 || x > kMaxGridX / kernel.num_ctas || y > kMaxGridYz ||
      z > kMaxGridYz) {
    return Failure(fmt::format("a grid of {} x {} x {} programs of {} blocks can't be launched", x,
                               y, z, kernel.num_ctas));
  }
  LaunchShape shape;
  shape.empty = x == 0 || y == 0 || z == 0;
  shape.grid = {static_cast<unsigned>(x * kernel.num_ctas), static_cast<unsigned>(y),
                static_cast<unsigned>(z)};
  shape.threads = static_cast<unsigned>(32 * kernel.num_warps);
  shape.shared_bytes = static_cast<unsigned>(kernel.shared_bytes);
  shape.attributes = AttributesOf(kernel);
  return shape;
}

Result<std::int64_t> ScratchBytes(const LaunchShape& shape, std::int64_t per_block) {
  if (per_block <= 0 || shape.empty)
    return 0;
  const double total = static_cast<double>(shape.grid[0]) * shape.grid[1] * shape.grid[2] *
                       static_cast<double>(per_block);
  if (total > static_cast<double>(kMaxScratch)) {
    return Failure(fmt::format("the launch needs {:.0f} GiB of scratch", total / (1 << 30)));
  }
  return static_cast<std::int64_t>(total);
}

}  // namespace croq::runner
