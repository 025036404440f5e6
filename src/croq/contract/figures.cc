#include "croq/contract/figures.h"

#include <algorithm>
#include <array>

namespace croq::contract {
namespace {

constexpr FigureInfo kFigures[] = {
    // Counters.
    {"sm_pct", "%", "compute throughput of its peak"},
    {"mem_pct", "%", "memory throughput of its peak, the busiest level"},
    {"dram_pct", "%", "device memory throughput of its peak"},
    {"l2_pct", "%", "L2 throughput of its peak"},
    {"l1_pct", "%", "L1 throughput of its peak"},
    {"tensor_pct", "%", "cycles in which the tensor pipe was busy"},
    {"occupancy_pct", "%", "achieved occupancy"},
    {"l2_hit_pct", "%", "hit rate of the L2"},
    {"conflict_pct", "%", "shared memory wavefronts that are bank conflicts"},
    {"duration_us", "us", "duration under the profiler"},
    {"registers", "", "registers of a thread"},
    {"shared_bytes", "bytes", "shared memory of a block"},
    {"spill_bytes", "bytes", "local memory of a thread: spills"},
    {"waves", "", "waves of blocks"},
    {"sm_active_pct", "%", "cycles in which an SM had work, of all"},
    {"dram_bytes", "bytes", "moved between L2 and device memory"},
    {"wall_ratio", "", "wall time of a call over the kernel's own"},
    // Shares of the time a warp waits between two instructions.
    {"stall_long_scoreboard_pct", "%", "waiting for global or local memory"},
    {"stall_short_scoreboard_pct", "%", "waiting for shared memory or special functions"},
    {"stall_barrier_pct", "%", "waiting at a block barrier"},
    {"stall_gmma_pct", "%", "waiting for the tensor cores"},
    {"stall_wait_pct", "%", "waiting a fixed latency"},
    {"stall_math_pipe_throttle_pct", "%", "waiting for a busy math pipe"},
    {"stall_mio_throttle_pct", "%", "waiting for the memory input/output queue"},
    {"stall_lg_throttle_pct", "%", "waiting for the queue of global loads"},
    // Worked out from the configuration, the problem and the device.
    {"tail_pct", "%", "of the time, lost in a last wave that is not full"},
    {"idle_sm_pct", "%", "of the SM time, without work"},
    {"tensor_idle_pct", "%", "cycles in which the tensor pipe was idle"},
    {"l2_miss_pct", "%", "of the sectors asked of the L2"},
    {"excess_bytes_pct", "%", "of the bytes from device memory, beyond each operand once"},
    {"roofline_pct", "%", "the least time that the roofline allows, of the time taken"},
    {"stages_left", "", "pipeline stages that shared memory still has room for"},
    {"accumulators", "", "registers of a thread that hold the tile of C"},
    {"tiles", "", "tiles of C"},
    {"tiles_per_sm", "", "tiles of C over SMs"},
    {"tile_rows", "", "rows of tiles"},
    {"k_steps", "", "steps of the inner loop"},
    {"operands_of_l2_pct", "%", "size of A and B, of the L2"},
};

}  // namespace

std::span<const FigureInfo> Figures() { return kFigures; }

const FigureInfo* FindFigure(std::string_view name) {
  const auto* found = std::ranges::find(kFigures, name, &FigureInfo::name);
  return found == std::end(kFigures) ? nullptr : found;
}

}  // namespace croq::contract
