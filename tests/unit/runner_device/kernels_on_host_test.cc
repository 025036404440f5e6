// The kernels' own source, compiled by the host compiler with host_cuda/cuda_fp16.h in place of
// CUDA: tile arithmetic, ragged edges, layouts and checks are tested without a GPU.
#include "croq_runner/kernels.cu"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "croq/model/scaling.h"
#include "croq_runner/bound.h"
#include "croq_runner/scale_draw.h"
#include "croq_runner/scaled_inputs.h"
#include "support/matrix.h"

namespace croq::runner {
namespace {

using ::croq::testing::BytesOf;
using ::croq::testing::HostFill;
using ::croq::testing::HostReference;
using ::croq::testing::LoadElement;
using ::croq::testing::MultiplyOnHost;
using ::croq::testing::StoreElement;
using Bytes = std::vector<unsigned char>;

template <typename T>
std::uint64_t Address(const T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

constexpr Element kResultElements[] = {Element::kF16, Element::kBf16, Element::kF32};
constexpr Element kAllElements[] = {Element::kF16, Element::kBf16, Element::kF32, Element::kF8E4};

FillParams Filling(std::int64_t count, std::int64_t k, std::uint32_t stream, Element element) {
  FillParams p{};
  p.count = static_cast<std::uint64_t>(count);
  p.seed = 0x123456789ABCDEFull;
  p.stream = stream;
  p.scale = element == Element::kF8E4 ? InputScale(DType::kE4m3Fp32, k)
                                      : InputScale(DType::kF32, k);
  p.element = element;
  return p;
}

TEST(KernelsOnHost, FillIsAPureFunctionOfTheIndex) {
  for (const Element element : kAllElements) {
    FillParams p = Filling(1001, 64, 5, element);
    const Bytes expected = HostFill(p);
    Bytes filled(expected.size() + 4, 0xEE);
    p.target = Address(filled.data());
    RunOnHost(croq_fill, p, 2, 64);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), filled.begin()));
    EXPECT_EQ(filled.back(), 0xEE);
    EXPECT_EQ(filled[expected.size()], 0xEE);
  }
}

struct Problem {
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
};

/// A filled problem with its reference by the kernel.
struct Solved {
  Bytes a;
  Bytes b;
  std::vector<double> reference;
  std::vector<float> products;
  ReferenceParams params{};
};

Solved Solve(const Problem& problem, Element element, bool transposed) {
  const auto [m, n, k] = problem;
  Solved s;
  s.a = HostFill(Filling(m * k, k, 0, element));
  s.b = HostFill(Filling(k * n, k, 1, element));
  s.reference.assign(static_cast<std::size_t>(m * n), -1e300);
  s.products.assign(static_cast<std::size_t>(m * n), -1);
  ReferenceParams& p = s.params;
  p.a = Address(s.a.data());
  p.b = Address(s.b.data());
  p.reference = Address(s.reference.data());
  p.products = Address(s.products.data());
  p.m = m;
  p.n = n;
  p.k = k;
  p.a_row_stride = k;
  p.b_k_stride = transposed ? 1 : n;
  p.b_column_stride = transposed ? k : 1;
  p.element = element;
  const auto tiles = [](std::int64_t size) { return (size + kReferenceTile - 1) / kReferenceTile; };
  RunOnHost(croq_reference, p, static_cast<unsigned>(tiles(m) * tiles(n)), kReferenceThreads);
  return s;
}

TEST(KernelsOnHost, ReferenceIsTheProductInFp64) {
  const Problem problems[] = {{1, 1, 1}, {3, 5, 7}, {65, 63, 17}, {64, 64, 16}, {130, 70, 33},
                              {600, 1, 3}, {1, 200, 40}};
  for (const Problem& problem : problems) {
    for (const Element element : kAllElements) {
      for (const bool transposed : {false, true}) {
        const Solved s = Solve(problem, element, transposed);
        const HostReference host = MultiplyOnHost(s.a, s.b, s.params);
        for (std::size_t i = 0; i < s.reference.size(); ++i) {
          ASSERT_NEAR(s.reference[i], host.values[i], 1e-13 * host.products[i] + 1e-300)
              << problem.m << "x" << problem.n << "x" << problem.k << " at " << i;
          ASSERT_NEAR(static_cast<double>(s.products[i]), host.products[i],
                      1e-5 * host.products[i]);
        }
      }
    }
  }
}

TEST(KernelsOnHost, ReferenceMultipliesEachBlockByItsScale) {
  constexpr std::int64_t kM = 70, kN = 150, kK = 300;
  Bytes a = HostFill(Filling(kM * kK, kK, 0, Element::kF8E4));
  Bytes b = HostFill(Filling(kN * kK, kK, 1, Element::kF8E4));
  const ShapeKey shape = ParseShapeKey("blockscale_gemm_e4m3fp16fp32_70x160x304").value();
  const Scaling grid = ScalingOf(shape).value();
  std::vector<float> scale_a = DrawScales(grid.a, 0.1, 7, 1);
  std::vector<float> scale_b = DrawScales(grid.b, 0.1, 7, 2);
  std::vector<double> reference(kM * kN);
  std::vector<float> products(kM * kN);
  ReferenceParams p{Address(a.data()), Address(b.data()), Address(reference.data()),
                    Address(products.data()), kM, kN, kK, kK, 1, kK,
                    ParamsOf(grid.a, Address(scale_a.data())),
                    ParamsOf(grid.b, Address(scale_b.data())), Element::kF8E4, 0};
  RunOnHost(croq_reference, p, 2 * 3, kReferenceThreads);
  const auto scale = [](const std::vector<float>& scales, const ScaleGrid& g, std::int64_t line,
                        std::int64_t k) {
    return static_cast<double>(
        scales[static_cast<std::size_t>(line / g.block_lines * g.steps + k / g.block_depth)]);
  };
  for (std::int64_t row = 0; row < kM; ++row) {
    for (std::int64_t column = 0; column < kN; ++column) {
      double sum = 0;
      double magnitude = 0;
      for (std::int64_t k = 0; k < kK; ++k) {
        const double product =
            static_cast<double>(LoadElement(a, row * kK + k, Element::kF8E4)) *
            scale(scale_a, grid.a, row, k) *
            static_cast<double>(LoadElement(b, column * kK + k, Element::kF8E4)) *
            scale(scale_b, grid.b, column, k);
        sum += product;
        magnitude += std::fabs(product);
      }
      const auto at = static_cast<std::size_t>(row * kN + column);
      ASSERT_NEAR(reference[at], sum, 1e-13 * magnitude) << row << ", " << column;
      ASSERT_NEAR(static_cast<double>(products[at]), magnitude, 1e-5 * magnitude);
    }
  }
}

TEST(KernelsOnHost, DequantiseRoundsTheScaledElement) {
  constexpr std::int64_t kLines = 5, kDepth = 272;
  Bytes source = HostFill(Filling(kLines * kDepth, kDepth, 3, Element::kF8E4));
  Bytes target(2 * kLines * kDepth);
  const ScaleGrid grid{1, 128, kLines, 3};
  std::vector<float> scales = DrawScales(grid, 1, 7, 1);
  const DequantiseParams p{Address(source.data()), Address(target.data()), kLines * kDepth, kDepth,
                           ParamsOf(grid, Address(scales.data()))};
  RunOnHost(croq_dequantise, p, 2, kBlockThreads);
  for (std::int64_t i = 0; i < kLines * kDepth; ++i) {
    Bytes expected(2);
    StoreElement(&expected, 0, Element::kF16,
                 LoadElement(source, i, Element::kF8E4) *
                     scales[static_cast<std::size_t>(i / kDepth * 3 + i % kDepth / 128)]);
    ASSERT_EQ(LoadElement(target, i, Element::kF16), LoadElement(expected, 0, Element::kF16)) << i;
  }
}

/// The output of an honest kernel: the reference rounded to the storage type.
Bytes Honest(const Solved& s) {
  Bytes c(s.reference.size() * BytesOf(s.params.element));
  for (std::size_t i = 0; i < s.reference.size(); ++i) {
    StoreElement(&c, static_cast<std::int64_t>(i), s.params.element,
                 static_cast<float>(s.reference[i]));
  }
  return c;
}

CompareShare Compare(const Solved& s, const Bytes& c, unsigned blocks = 3) {
  std::vector<CompareShare> shares(blocks);
  CompareParams p{};
  p.output = Address(c.data());
  p.reference = s.params.reference;
  p.products = s.params.products;
  p.shares = Address(shares.data());
  p.count = s.reference.size();
  p.element = s.params.element;
  const DType dtype = p.element == Element::kF16    ? DType::kF16Fp32
                      : p.element == Element::kBf16 ? DType::kBf16Fp32
                                                    : DType::kF32;
  p.terms = MakeBound(dtype, s.params.k, 8);
  RunOnHost(croq_compare, p, blocks, kBlockThreads);
  CompareShare total = shares[0];
  for (unsigned i = 1; i < blocks; ++i) Join(total, shares[i]);
  return total;
}

TEST(KernelsOnHost, CompareAcceptsAnHonestResult) {
  for (const Element element : kResultElements) {
    const Solved s = Solve({70, 50, 40}, element, false);
    const CompareShare found = Compare(s, Honest(s));
    EXPECT_EQ(found.nan_count + found.inf_count + found.over_bound, 0u);
    EXPECT_GT(found.worst_ratio, 0);
    EXPECT_LE(found.worst_ratio, 1);
  }
}

TEST(KernelsOnHost, CompareFindsPlantedErrors) {
  const Solved s = Solve({70, 50, 40}, Element::kF16, true);
  const CompareShare clean = Compare(s, Honest(s));

  Bytes wrong = Honest(s);
  StoreElement(&wrong, 1234, Element::kF16, LoadElement(wrong, 1234, Element::kF16) + 0.01f);
  CompareShare found = Compare(s, wrong);
  EXPECT_EQ(found.over_bound, 1u);
  EXPECT_EQ(found.worst_index, 1234u);
  EXPECT_GT(found.worst_ratio, 1);
  EXPECT_NEAR(found.max_abs_err, 0.01, 1e-3);
  EXPECT_NE(found.hash.low, clean.hash.low);

  Bytes nan = Honest(s);
  nan[2 * 77] = nan[2 * 77 + 1] = 0xFF;  // poison left in place
  nan[2 * 3000] = nan[2 * 3000 + 1] = 0xFF;
  found = Compare(s, nan);
  EXPECT_EQ(found.nan_count, 2u);
  EXPECT_EQ(found.over_bound, 2u);
  EXPECT_EQ(found.worst_index, 77u);
  EXPECT_EQ(found.worst_ratio, kNonFiniteRatio);
  EXPECT_LT(found.max_abs_err, 1e-3);

  Bytes infinite = Honest(s);
  StoreElement(&infinite, 9, Element::kF16, INFINITY);
  found = Compare(s, infinite);
  EXPECT_EQ(found.inf_count, 1u);
  EXPECT_EQ(found.worst_index, 9u);
}

TEST(KernelsOnHost, CompareDoesNotDependOnTheGrid) {
  const Solved s = Solve({33, 65, 20}, Element::kBf16, false);
  const Bytes c = Honest(s);
  const CompareShare one = Compare(s, c, 1);
  const CompareShare many = Compare(s, c, 12);  // more threads than elements
  EXPECT_EQ(one.hash.low, many.hash.low);
  EXPECT_EQ(one.hash.high, many.hash.high);
  EXPECT_EQ(one.worst_index, many.worst_index);
  EXPECT_EQ(one.worst_ratio, many.worst_ratio);
}

HashPair Hash(const Bytes& data) {
  HashPair sum{0, 0};
  const HashParams p{Address(data.data()), data.size(), Address(&sum)};
  RunOnHost(croq_hash, p, 2, 64);
  return sum;
}

TEST(KernelsOnHost, HashSeesEveryByte) {
  Bytes data(8 * 70 + 5, 3);
  std::set<std::uint64_t> lows{Hash(data).low};
  std::set<std::uint64_t> highs{Hash(data).high};
  std::size_t versions = 1;
  for (std::size_t i = 0; i < data.size(); i += 37) {
    data[i] ^= 0x80;
    lows.insert(Hash(data).low);
    highs.insert(Hash(data).high);
    data[i] ^= 0x80;
    ++versions;
  }
  EXPECT_EQ(lows.size(), versions);
  EXPECT_EQ(highs.size(), versions);
}

TEST(KernelsOnHost, GuardCountsChangedBytes) {
  Bytes band(1000, 0xA5);
  std::uint64_t changed = 0;
  const GuardParams p{Address(band.data()), band.size(), Address(&changed), 0xA5, 0};
  RunOnHost(croq_guard, p, 2, 64);
  EXPECT_EQ(changed, 0u);
  band[0] = band[999] = 0;
  RunOnHost(croq_guard, p, 2, 64);
  EXPECT_EQ(changed, 2u);
}

}  // namespace
}  // namespace croq::runner
