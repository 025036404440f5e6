#include "croq/search/cost_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace croq::search {
namespace {

// Constants marked (fit) were fitted to 1,576 recorded times of one H200 with Triton 3.6, f16,
// shapes from 1024^3 to 8192^3 and 64x8192x8192, by random search on the squared logarithm of the
// error, with the fast configurations weighing most. Times are in nanoseconds, so that bytes per ns
// are GB/s and flops per ns are GFLOPS.

/// Of the datasheet's dense rate, what an endless wgmma loop holds at the clock under load (fit).
constexpr double kMatrixShare = 0.91;
/// A wgmma of 64 x N x 16 takes as long as one of this N at least (fit): its A operand comes
/// through the same shared memory. Half of the rate at N = 64 and nearly all at 256 is also what
/// the Hopper microbenchmarks of Luo et al. (arXiv 2402.13499) report.
constexpr double kFloorOfN = 85;
constexpr double kFloorSharpness = 4;
/// Below 64 rows Triton uses mma.sync, which reaches about 62% of wgmma on Hopper (same paper).
constexpr double kMmaSyncShare = 0.62;
/// Triton's dot on FMA units, of their peak. Assumed; no recording.
constexpr double kFmaShare = 0.5;
/// Shared-memory operands make pointer loads cheap for B as [K, N] and dear for [N, K] (fit).
constexpr double kPointerShareNn = 0.9;
constexpr double kPointerShareNt = 1.1;
/// L2 to one SM: 64 bytes a clock at 1.75 GHz (fit; the hardware's limit).
constexpr double kL2BytesPerNs = 111;
/// Of a load under load, L2 and device memory mixed (fit).
constexpr double kLatencyNs = 790;
constexpr double kPointerLatency = 1.1;
/// How sharply the slowest of the three bounds wins over their sum (fit).
constexpr double kBoundSharpness = 3;
/// Fill and drain of one tile, hidden by the other blocks of the SM (fit); a persistent program
/// alone on its SM pays more, a flattened one next to nothing, nor one whose loads have warps of
/// their own (assumed).
constexpr double kTileNs = 420;
constexpr double kPersistentTile = 1.5;
constexpr double kFlattenedTile = 0.05;
/// Storing the tile of C costs this many times its bytes through the L2 port (fit).
constexpr double kStoreShare = 3.3;
/// A wave's tiles are not walked in step: reads of device memory over the ideal (fit).
constexpr double kWaveReads = 1.67;
/// What one SM can draw from device memory, by its loads in flight (fit).
constexpr double kMemoryBytesPerNsPerSm = 105;
/// Launch, first fill and events (fit: the recordings include them).
constexpr double kLaunchNs = 4200;
/// Descriptors made in the kernel: written, fenced and fetched before the first load. 1.6 us at
/// 2048^3 and 3 to 5 us at 4096^3 on an H200, against the same kernel with host descriptors.
constexpr double kDescriptorNs = 2000;
/// A second kernel behind the first: the drain of one and the fill of the other. Assumed.
constexpr double kSecondLaunchNs = 2000;
/// What adding up parts draws from the L2, of its ports' sum. Assumed.
constexpr double kReduceShare = 0.4;
/// Bytes of a partial sum in the workspace (float32).
constexpr double kPartBytes = 4;
/// Each spilled byte a thread is written and read on the way through the loop. Assumed.
constexpr double kSpillCost = 0.004;
constexpr double kWorstSpill = 4;
/// Assumed: clusters and eviction hints must show their worth by measurement. Triton splits a tile
/// over a cluster without multicast, so each doubling costs a synchronisation and gains nothing.
constexpr double kClusterCost = 0.15;
constexpr double kHintCost = 0.004;

/// (a^p + b^p + c^p)^(1/p): the largest, rounded off where they are close.
double SoftMax(double sharpness, double a, double b, double c = 0) {
  return std::pow(std::pow(a, sharpness) + std::pow(b, sharpness) + std::pow(c, sharpness),
                  1 / sharpness);
}

double OrElse(double value, double otherwise) {
  return value > 0 ? value : otherwise;
}

/// Dense peak of the units that the dtype uses, in TFLOPS. Where the device's facts lack one: its
/// SMs at the H200's rate per SM (989 / 495 / 67 TFLOPS over 132).
double PeakTflops(const ShapeKey& shape, const DeviceFacts& device) {
  const auto sms = static_cast<double>(device.sm_count);
  switch (shape.dtype) {
    case DType::kF16Fp32:
    case DType::kBf16Fp32:
      return OrElse(device.peak_tflops_f16, 7.5 * sms);
    case DType::kE4m3Fp32:
    case DType::kE4m3Fp16Fp32:
      return 2 * OrElse(device.peak_tflops_f16, 7.5 * sms);
    case DType::kTf32Fp32:
      return OrElse(device.peak_tflops_tf32, 3.75 * sms);
    case DType::kF32:
      return OrElse(device.peak_tflops_f32, 0.5 * sms);
  }
  return 7.5 * sms;
}

/// Share of the peak that the instructions of this tile reach.
double UnitShare(const TileFacts& facts) {
  if (!facts.matrix_unit)
    return kFmaShare;
  constexpr double kWgmmaRows = 64;
  constexpr double kLargestN = 256;
  const auto rows = static_cast<double>(facts.transposed ? facts.block_n : facts.block_m);
  const auto columns = static_cast<double>(facts.transposed ? facts.block_m : facts.block_n);
  if (rows < kWgmmaRows)
    return kMatrixShare * kMmaSyncShare;
  // Warp groups (4 warps) divide the rows first; those left over divide the columns.
  const auto groups = static_cast<double>(std::max<std::int64_t>(1, facts.multiplying_warps / 4));
  const double along_m = std::min(groups, rows / kWgmmaRows);
  const double n = std::min(kLargestN, columns * along_m / groups);
  return kMatrixShare * n / SoftMax(kFloorSharpness, n, kFloorOfN);
}

class Model {
 public:
  Model(const ShapeKey& shape, const DeviceFacts& device, const TileFacts& facts)
      : shape_(shape),
        device_(device),
        facts_(facts),
        sms_(std::max(1, device.sm_count)),
        m_(static_cast<double>(facts.block_m)),
        n_(static_cast<double>(facts.block_n)),
        k_(static_cast<double>(facts.block_k)),
        bytes_(facts.element_bytes), result_bytes_(facts.result_bytes) {}

  /// The busiest SM.
  double SmNs() const {
    if (facts_.stream_k)
      return StreamNs();
    const std::int64_t tiles = (facts_.tiles + sms_ - 1) / sms_;
    const std::int64_t batches = tiles / facts_.blocks_per_sm;
    const auto rest = static_cast<int>(tiles % facts_.blocks_per_sm);
    double ns = static_cast<double>(batches) * BatchNs(facts_.blocks_per_sm);
    if (rest > 0)
      ns += BatchNs(rest);
    return ns;
  }

  double MemoryNs() const {
    const double operands = bytes_ * static_cast<double>(shape_.k) *
                            (static_cast<double>(shape_.m) + static_cast<double>(shape_.n));
    const double result = result_bytes_ * static_cast<double>(shape_.m) * static_cast<double>(shape_.n);
    const double written = result + (FitsL2(PartBytes()) ? 0 : PartBytes());
    const std::int64_t busy = facts_.stream_k ? sms_ : std::min<std::int64_t>(facts_.tiles, sms_);
    const double rate =
        std::min(MemoryRate(), static_cast<double>(busy) * kMemoryBytesPerNsPerSm);
    return (std::max(operands, WaveReads(operands)) + written) / rate;
  }

  /// Adding up the parts of K, which starts when the last part is written.
  double ReduceNs() const {
    const double parts = PartBytes();
    if (parts == 0)
      return 0;
    const double rate = FitsL2(parts) ? kReduceShare * kL2BytesPerNs * sms_ : MemoryRate();
    return kSecondLaunchNs + parts / rate;
  }

  double Waves() const {
    return static_cast<double>(facts_.tiles) / (static_cast<double>(sms_) * facts_.blocks_per_sm);
  }

  /// What multiplies the whole: spills, and levers that the bounds do not see.
  double Penalty() const {
    const double spill = std::min(kWorstSpill, 1 + kSpillCost * facts_.spill_bytes);
    return spill * (1 + kClusterCost * std::log2(static_cast<double>(facts_.ctas))) *
           (1 + kHintCost * facts_.odd_hints);
  }

 private:
  double MemoryRate() const { return OrElse(device_.memory_gb_per_s, 30.0 * sms_); }

  bool FitsL2(double bytes) const {
    return bytes <= 0.5 * static_cast<double>(device_.l2_bytes);
  }

  /// All partial sums: of a split K, or of the tiles that a stream-K shares out. Each program has
  /// one, and each shared tile's end cuts one in two.
  double PartBytes() const {
    if (facts_.stream_k)
      return SharedTiles() > 0 ? kPartBytes * m_ * n_ * (Programs() + SharedTiles()) : 0;
    if (facts_.split_k <= 1)
      return 0;
    return kPartBytes * static_cast<double>(facts_.split_k) * static_cast<double>(shape_.m) *
           static_cast<double>(shape_.n);
  }

  double Programs() const { return static_cast<double>(sms_) * facts_.blocks_per_sm; }

  double SharedTiles() const {
    return static_cast<double>(facts_.tiles % (std::int64_t{sms_} * facts_.blocks_per_sm));
  }

  /// Whole waves, and an equal share of what is left over for every SM, fill and store twice.
  double StreamNs() const {
    const std::int64_t waves = facts_.tiles / (std::int64_t{sms_} * facts_.blocks_per_sm);
    const double whole = static_cast<double>(waves) * BatchNs(facts_.blocks_per_sm);
    if (SharedTiles() == 0)
      return whole;
    const double steps = SharedTiles() * static_cast<double>(facts_.steps) / Programs();
    const double store = kStoreShare * m_ * n_ * kPartBytes / kL2BytesPerNs;
    return whole + facts_.blocks_per_sm * steps * StepNs(facts_.blocks_per_sm) +
           2 * (kPersistentTile * kTileNs + store);
  }

  /// One step of the K loop of each of `resident` blocks, over their number.
  double StepNs(int resident) const {
    const double gflops_per_sm = PeakTflops(shape_, device_) * 1e3 / sms_;
    double units = 2 * m_ * n_ * k_ / (gflops_per_sm * UnitShare(facts_));
    double latency = kLatencyNs;
    if (!facts_.descriptors) {
      units *= shape_.BIsNk() ? kPointerShareNt : kPointerShareNn;
      latency *= kPointerLatency;
    }
    const double loads = (m_ + n_) * k_ * bytes_ / kL2BytesPerNs;
    if (facts_.stages <= 1)
      return units + loads + latency / resident;
    const double hidden = latency / static_cast<double>(facts_.stages - 1) / resident;
    return SoftMax(kBoundSharpness, units, loads, hidden);
  }

  /// `resident` blocks side by side, from the first fill to the last store.
  double BatchNs(int resident) const {
    double fill = kTileNs;
    if (facts_.persistent)
      fill *= facts_.flattened || facts_.specialised ? kFlattenedTile : kPersistentTile;
    const double stored = facts_.split_k > 1 ? kPartBytes : result_bytes_;
    const double store = kStoreShare * m_ * n_ * stored / kL2BytesPerNs;
    return resident * static_cast<double>(facts_.steps) * StepNs(resident) + fill + store;
  }

  /// Bytes of A and B read from device memory when each wave reads its tiles' rows and columns
  /// anew. Operands that fit half of the L2 are read once.
  double WaveReads(double operands) const {
    if (FitsL2(operands))
      return operands;
    const auto tiles_m = static_cast<double>(facts_.tiles_m);
    const auto tiles_n = static_cast<double>(facts_.tiles_n);
    const double in_flight =
        std::min(tiles_m * tiles_n, static_cast<double>(sms_) * facts_.blocks_per_sm);
    const double group = std::min(static_cast<double>(facts_.group_m), tiles_m);
    const double columns = std::min(tiles_n, std::max(1.0, in_flight / group));
    const double rows = std::min(tiles_m, std::max(group, in_flight / columns));
    const double waves = tiles_m * tiles_n / in_flight;
    return kWaveReads * waves * (rows * m_ + columns * n_) * static_cast<double>(shape_.k) * bytes_;
  }

  const ShapeKey& shape_;
  const DeviceFacts& device_;
  const TileFacts& facts_;
  int sms_;
  double m_;
  double n_;
  double k_;
  double bytes_;
  double result_bytes_;
};

}  // namespace

Prediction Predict(const ShapeKey& shape, const DeviceFacts& device, const Config& config,
                   const BuiltResources* built) {
  const TileFacts facts = FactsOf(shape, device, config, built);
  const Model model(shape, device, facts);
  constexpr double kMsPerNs = 1e-6;
  Prediction prediction;
  prediction.sm_ms = model.SmNs() * kMsPerNs;
  prediction.memory_ms = model.MemoryNs() * kMsPerNs;
  prediction.overhead_ms =
      (kLaunchNs + (facts.built_in_kernel ? kDescriptorNs : 0) + model.ReduceNs()) * kMsPerNs;
  constexpr double kRoofSharpness = 4;
  prediction.total_ms =
      SoftMax(kRoofSharpness, prediction.sm_ms, prediction.memory_ms) * model.Penalty() +
      prediction.overhead_ms;
  prediction.waves = model.Waves();
  prediction.blocks_per_sm = facts.blocks_per_sm;
  return prediction;
}

double PredictMillis(const ShapeKey& shape, const DeviceFacts& device, const Config& config,
                     const BuiltResources* built) {
  return Predict(shape, device, config, built).total_ms;
}

}  // namespace croq::search
