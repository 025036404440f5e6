#include "croq/operators/split_constraints.h"

#include <fmt/format.h>

namespace croq::operators {
namespace {

/// A split K is for grids that leave SMs idle: up to this many tiles an SM.
constexpr std::int64_t kMaxSplitTilesPerSm = 2;
/// Each part's pipeline has to fill and drain.
constexpr std::int64_t kMinStepsPerPart = 2;
/// More programs than this an SM only add parts to write and read.
constexpr std::int64_t kMaxSplitProgramsPerSm = 8;
/// Writing and reading more takes longer than what a split K can gain (134 us at 4 TB/s).
constexpr std::int64_t kMaxWorkspaceBytes = std::int64_t{256} << 20;
/// A stream-K evens out the last of so many waves; behind more it gains less than its parts cost.
constexpr std::int64_t kMaxStreamWaves = 8;
/// Steps over K in a program's share of what is left over, and programs that share one tile.
constexpr std::int64_t kMinStepsPerShare = 4;
constexpr std::int64_t kMaxShares = 16;

}  // namespace

std::optional<std::string> CheckSplitK(const MatmulProblem& problem, const MatmulConfig& config) {
  if (!config.variant->split_k) return std::nullopt;
  const std::int64_t tiles = config.Tiles(problem.shape);
  const std::int64_t sms = problem.device.sm_count;
  if (config.split_k < 2) return "SPLIT_K=1 is the variant without a split";
  if (tiles >= kMaxSplitTilesPerSm * sms) {
    return fmt::format("{} tiles fill {} SMs without splitting K", tiles, sms);
  }
  if (tiles * config.split_k > kMaxSplitProgramsPerSm * sms) {
    return fmt::format("{} tiles in {} parts are more than {} programs on each of {} SMs", tiles,
                       config.split_k, kMaxSplitProgramsPerSm, sms);
  }
  if (config.StepsK(problem.shape) < kMinStepsPerPart * config.split_k) {
    return fmt::format("SPLIT_K={} leaves less than {} of the {} steps over K to a part",
                       config.split_k, kMinStepsPerPart, config.StepsK(problem.shape));
  }
  if (config.WorkspaceBytes(problem) > kMaxWorkspaceBytes) {
    return fmt::format("SPLIT_K={} needs a workspace of {} MiB, above {}", config.split_k,
                       config.WorkspaceBytes(problem) >> 20, kMaxWorkspaceBytes >> 20);
  }
  return std::nullopt;
}

std::optional<std::string> CheckStreamK(const MatmulProblem& problem, const MatmulConfig& config) {
  if (!config.variant->stream_k) return std::nullopt;
  const std::int64_t programs = config.NumPrograms(problem.device);
  const std::int64_t waves = config.Tiles(problem.shape) / programs;
  const std::int64_t shared = config.SharedTiles(problem);
  // Above nine tenths of a wave there is next to nothing to even out.
  if (shared == 0 || shared * 10 > programs * 9) {
    return fmt::format("{} tiles behind {} whole waves of {} leave no program idle", shared, waves,
                       programs);
  }
  if (waves >= kMaxStreamWaves) {
    return fmt::format("behind {} whole waves of tiles the last one hardly matters", waves);
  }
  if (shared * kMaxShares < programs) {
    return fmt::format("{} programs would share {} tiles: more than {} parts each", programs,
                       shared, kMaxShares);
  }
  if (shared * config.StepsK(problem.shape) < kMinStepsPerShare * programs) {
    return fmt::format("{} tiles of {} steps over K give {} programs less than {} steps each",
                       shared, config.StepsK(problem.shape), programs, kMinStepsPerShare);
  }
  return std::nullopt;
}

}  // namespace croq::operators
