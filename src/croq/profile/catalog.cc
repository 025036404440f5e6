#include "croq/profile/catalog.h"

#include <array>

namespace croq::profile {
namespace {

using Ids = std::string_view;
using Label = DetailsLabel;

// Names of 2025.3 on Hopper come first, then those of older and newer releases and other chips.
constexpr Ids kSm[] = {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "sm__sol_pct"};
constexpr Label kSmLabel[] = {{"Speed Of Light", "Compute (SM) Throughput"},
                              {"Speed Of Light", "SM [%]"},
                              {"Speed Of Light", "SOL SM"}};
constexpr Ids kMemory[] = {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
                           "gpu__compute_memory_sol_pct"};
constexpr Label kMemoryLabel[] = {{"Speed Of Light", "Memory Throughput"},
                                  {"Speed Of Light", "Memory [%]"},
                                  {"Speed Of Light", "SOL Memory"}};
constexpr Ids kMemBusy[] = {
    "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr Label kMemBusyLabel[] = {{"Memory Workload", "Mem Busy"}};
constexpr Ids kMaxBandwidth[] = {
    "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr Label kMaxBandwidthLabel[] = {{"Memory Workload", "Max Bandwidth"}};
constexpr Ids kDram[] = {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                         "dram__throughput.avg.pct_of_peak_sustained_elapsed",
                         "dram__cycles_active.avg.pct_of_peak_sustained_elapsed"};
constexpr Label kDramLabel[] = {{"Speed Of Light", "DRAM Throughput"},
                                {"Speed Of Light", "SOL DRAM"},
                                {"Speed Of Light", "SOL FB"}};
constexpr Ids kL1[] = {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr Ids kL1Active[] = {"l1tex__throughput.avg.pct_of_peak_sustained_active"};
constexpr Label kL1ActiveLabel[] = {{"Speed Of Light", "L1/TEX Cache Throughput"},
                                    {"Speed Of Light", "SOL L1/TEX Cache"}};
constexpr Ids kL1CyclesActive[] = {"l1tex__cycles_active.avg"};
constexpr Label kL1CyclesActiveLabel[] = {{"Workload Distribution", "Average L1 Active Cycles"}};
constexpr Ids kL1CyclesElapsed[] = {"l1tex__cycles_elapsed.avg"};
constexpr Ids kL1CyclesTotal[] = {"l1tex__cycles_elapsed.sum"};
constexpr Label kL1CyclesTotalLabel[] = {{"Workload Distribution", "Total L1 Elapsed Cycles"}};
constexpr Ids kL2[] = {"lts__throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr Label kL2Label[] = {{"Speed Of Light", "L2 Cache Throughput"},
                              {"Speed Of Light", "SOL L2 Cache"}};
constexpr Ids kTensor[] = {
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_"
    "sustained_elapsed",
    "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_tensor_cycles_active_v2.avg.pct_of_peak_sustained_active",
    "sm__pipe_tensor_subpipe_hmma_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__pipe_tensor_subpipe_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_tc_cycles_active.avg.pct_of_peak_sustained_active"};
constexpr Ids kFma[] = {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
                        "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"};
constexpr Ids kAlu[] = {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active",
                        "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed"};
constexpr Ids kXu[] = {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
                       "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed"};
constexpr Ids kOccupancy[] = {"sm__warps_active.avg.pct_of_peak_sustained_active"};
constexpr Label kOccupancyLabel[] = {{"Occupancy", "Achieved Occupancy"}};
constexpr Ids kTheoretical[] = {"sm__maximum_warps_per_active_cycle_pct"};
constexpr Label kTheoreticalLabel[] = {{"Occupancy", "Theoretical Occupancy"}};
constexpr Ids kLimitBlocks[] = {"launch__occupancy_limit_blocks"};
constexpr Label kLimitBlocksLabel[] = {{"Occupancy", "Block Limit SM"}};
constexpr Ids kLimitRegisters[] = {"launch__occupancy_limit_registers"};
constexpr Label kLimitRegistersLabel[] = {{"Occupancy", "Block Limit Registers"}};
constexpr Ids kLimitShared[] = {"launch__occupancy_limit_shared_mem"};
constexpr Label kLimitSharedLabel[] = {{"Occupancy", "Block Limit Shared Mem"}};
constexpr Ids kLimitWarps[] = {"launch__occupancy_limit_warps"};
constexpr Label kLimitWarpsLabel[] = {{"Occupancy", "Block Limit Warps"}};
constexpr Ids kLimitBarriers[] = {"launch__occupancy_limit_barriers"};
constexpr Label kLimitBarriersLabel[] = {{"Occupancy", "Block Limit Barriers"}};
constexpr Ids kIssue[] = {"smsp__issue_active.avg.pct_of_peak_sustained_active"};
constexpr Label kIssueLabel[] = {{"Scheduler", "One or More Eligible"}};
constexpr Ids kRegisters[] = {"launch__registers_per_thread"};
constexpr Label kRegistersLabel[] = {{"Launch", "Registers Per Thread"}};
constexpr Ids kSpills[] = {"derived__local_spilling_requests",
                           "sass__inst_executed_register_spilling"};
constexpr Label kSpillsLabel[] = {{"Memory Workload", "Local Memory Spilling Requests"}};
constexpr Ids kSpillsShare[] = {"derived__local_spilling_requests_pct"};
constexpr Label kSpillsShareLabel[] = {
    {"Memory Workload", "Local Memory Spilling Request Overhead"}};
constexpr Ids kLocalLoads[] = {"smsp__sass_inst_executed_op_local_ld.sum",
                               "smsp__inst_executed_op_local_ld.sum"};
constexpr Ids kLocalStores[] = {"smsp__sass_inst_executed_op_local_st.sum",
                                "smsp__inst_executed_op_local_st.sum"};
constexpr Ids kConflicts[] = {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"};
constexpr Ids kWavefronts[] = {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"};
constexpr Ids kSectors[] = {"memory_l2_theoretical_sectors_global"};
constexpr Ids kSectorsExcess[] = {"derived__memory_l2_theoretical_sectors_global_excessive"};
constexpr Ids kTmaLoads[] = {"smsp__inst_executed_op_tma_ld.sum",
                             "smsp__sass_inst_executed_op_tma_ld.sum"};
constexpr Ids kTmaStores[] = {"smsp__inst_executed_op_tma_st.sum",
                              "smsp__sass_inst_executed_op_tma_st.sum"};
constexpr Ids kWaves[] = {"launch__waves_per_multiprocessor"};
constexpr Label kWavesLabel[] = {{"Launch", "Waves Per SM"}};
constexpr Ids kDuration[] = {"gpu__time_duration.sum"};
constexpr Label kDurationLabel[] = {{"Speed Of Light", "Duration"}};
constexpr Ids kSmClock[] = {"sm__cycles_elapsed.avg.per_second",
                            "gpc__cycles_elapsed.avg.per_second",
                            "smsp__cycles_elapsed.avg.per_second"};
constexpr Label kSmClockLabel[] = {
    {"Speed Of Light", "SM Frequency", "gpc__cycles_elapsed.avg.per_second"}};
constexpr Ids kDramClock[] = {"dram__cycles_elapsed.avg.per_second"};
constexpr Label kDramClockLabel[] = {{"Speed Of Light", "DRAM Frequency"}};
constexpr Ids kGrid[] = {"launch__grid_size"};
constexpr Label kGridLabel[] = {{"Launch", "Grid Size"}};
constexpr Ids kBlock[] = {"launch__block_size"};
constexpr Label kBlockLabel[] = {{"Launch", "Block Size"}};
constexpr Ids kSharedBytes[] = {"launch__shared_mem_per_block"};
constexpr Ids kSms[] = {"launch__sm_count", "device__attribute_multiprocessor_count"};
constexpr Label kSmsLabel[] = {{"Launch", "# SMs"}};
constexpr Ids kSmCyclesActive[] = {"sm__cycles_active.avg"};
constexpr Label kSmCyclesActiveLabel[] = {{"Speed Of Light", "SM Active Cycles"},
                                          {"Workload Distribution", "Average SM Active Cycles"}};
constexpr Ids kSmCyclesElapsed[] = {"sm__cycles_elapsed.max", "gpc__cycles_elapsed.max"};
constexpr Label kSmCyclesElapsedLabel[] = {
    {"Speed Of Light", "Elapsed Cycles", "gpc__cycles_elapsed.max"}};
constexpr Ids kL1Hits[] = {"l1tex__t_sector_hit_rate.pct"};
constexpr Label kL1HitsLabel[] = {{"Memory Workload", "L1/TEX Hit Rate"}};
constexpr Ids kL2Hits[] = {"lts__t_sector_hit_rate.pct"};
constexpr Label kL2HitsLabel[] = {{"Memory Workload", "L2 Hit Rate"}};
constexpr Ids kDramRead[] = {"dram__bytes_read.sum", "dram__bytes_op_read.sum"};
constexpr Ids kDramWrite[] = {"dram__bytes_write.sum", "dram__bytes_op_write.sum"};
constexpr Ids kDramRate[] = {"dram__bytes.sum.per_second"};
constexpr Label kDramRateLabel[] = {{"Memory Workload", "Memory Throughput"}};
constexpr Ids kPasses[] = {"profiler__replayer_passes"};

using enum Dimension;

constexpr MetricSpec kSpecs[] = {
    {"sm_pct", kPercent, "", kSm, kSmLabel},
    {"mem_pct", kPercent, "", kMemory, kMemoryLabel},
    {"mem_busy_pct", kPercent, "", kMemBusy, kMemBusyLabel},
    {"max_bandwidth_pct", kPercent, "", kMaxBandwidth, kMaxBandwidthLabel},
    {"dram_pct", kPercent, "", kDram, kDramLabel},
    {"l1_pct", kPercent, "", kL1, {}},
    {"l1_active_pct", kPercent, "", kL1Active, kL1ActiveLabel},
    {"l2_pct", kPercent, "", kL2, kL2Label},
    {"tensor_pct", kPercent, "", kTensor, {}},
    {"fma_pct", kPercent, "", kFma, {}},
    {"alu_pct", kPercent, "", kAlu, {}},
    {"xu_pct", kPercent, "", kXu, {}},
    {"occupancy_pct", kPercent, "", kOccupancy, kOccupancyLabel},
    {"theoretical_occupancy_pct", kPercent, "", kTheoretical, kTheoreticalLabel},
    {"limit_blocks", kOther, "blocks/SM", kLimitBlocks, kLimitBlocksLabel},
    {"limit_registers", kOther, "blocks/SM", kLimitRegisters, kLimitRegistersLabel},
    {"limit_shared_mem", kOther, "blocks/SM", kLimitShared, kLimitSharedLabel},
    {"limit_warps", kOther, "blocks/SM", kLimitWarps, kLimitWarpsLabel},
    {"limit_barriers", kOther, "blocks/SM", kLimitBarriers, kLimitBarriersLabel},
    {"issue_pct", kPercent, "", kIssue, kIssueLabel},
    {"registers", kOther, "registers", kRegisters, kRegistersLabel},
    {"spill_requests", kOther, "requests", kSpills, kSpillsLabel},
    {"spill_overhead_pct", kPercent, "", kSpillsShare, kSpillsShareLabel},
    {"local_loads", kOther, "instructions", kLocalLoads, {}},
    {"local_stores", kOther, "instructions", kLocalStores, {}},
    {"bank_conflicts", kOther, "wavefronts", kConflicts, {}},
    {"shared_wavefronts", kOther, "wavefronts", kWavefronts, {}},
    {"global_sectors", kOther, "sectors", kSectors, {}},
    {"global_sectors_excessive", kOther, "sectors", kSectorsExcess, {}},
    {"tma_loads", kOther, "instructions", kTmaLoads, {}},
    {"tma_stores", kOther, "instructions", kTmaStores, {}},
    {"waves_printed", kOther, "waves", kWaves, kWavesLabel},
    {"duration_ns", kTime, "", kDuration, kDurationLabel},
    {"sm_clock_hz", kFrequency, "", kSmClock, kSmClockLabel},
    {"dram_clock_hz", kFrequency, "", kDramClock, kDramClockLabel},
    {"grid_size", kOther, "blocks", kGrid, kGridLabel},
    {"block_size", kOther, "threads", kBlock, kBlockLabel},
    {"shared_bytes", kBytes, "", kSharedBytes, {}},
    {"sm_count", kOther, "SMs", kSms, kSmsLabel},
    {"sm_cycles_active", kOther, "cycles", kSmCyclesActive, kSmCyclesActiveLabel},
    {"sm_cycles_elapsed", kOther, "cycles", kSmCyclesElapsed, kSmCyclesElapsedLabel},
    {"l1_cycles_active", kOther, "cycles", kL1CyclesActive, kL1CyclesActiveLabel},
    {"l1_cycles_elapsed", kOther, "cycles", kL1CyclesElapsed, {}},
    {"l1_cycles_elapsed_total", kOther, "cycles", kL1CyclesTotal, kL1CyclesTotalLabel},
    {"l1_hit_pct", kPercent, "", kL1Hits, kL1HitsLabel},
    {"l2_hit_pct", kPercent, "", kL2Hits, kL2HitsLabel},
    {"dram_bytes_read", kBytes, "", kDramRead, {}},
    {"dram_bytes_written", kBytes, "", kDramWrite, {}},
    {"dram_bytes_per_second", kByteRate, "", kDramRate, kDramRateLabel},
    {"replay_passes", kOther, "passes", kPasses, {}},
};

constexpr std::string_view kStalls[] = {"long_scoreboard",
                                        "short_scoreboard",
                                        "wait",
                                        "barrier",
                                        "membar",
                                        "mio_throttle",
                                        "lg_throttle",
                                        "tex_throttle",
                                        "math_pipe_throttle",
                                        "not_selected",
                                        "selected",
                                        "drain",
                                        "imc_miss",
                                        "no_instruction",
                                        "branch_resolving",
                                        "dispatch_stall",
                                        "sleeping",
                                        "misc",
                                        "gmma"};

}  // namespace

std::span<const MetricSpec> Catalog() {
  return kSpecs;
}

const MetricSpec& DurationSpec() {
  static constexpr MetricSpec kSpec{"duration_ns", kTime, "", kDuration, kDurationLabel};
  return kSpec;
}

std::span<const std::string_view> StallReasons() {
  return kStalls;
}

}  // namespace croq::profile
