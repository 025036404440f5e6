// The kernels for brought problems, compiled by the host compiler as in kernels_on_host_test.cc.
#include "croq_runner/kernel_check.cuh"
#include "croq_runner/kernel_draw.cuh"

#include <gtest/gtest.h>

#include <numeric>

#include "support/drawn.h"

namespace croq::runner {
namespace {

using ::croq::testing::HostDraw;
using ::croq::testing::PutDrawn;
using Bytes = std::vector<unsigned char>;

constexpr Element kElements[] = {
    Element::kF16, Element::kBf16, Element::kF32, Element::kF64, Element::kF8E4, Element::kF8E5,
    Element::kI8,  Element::kI16,  Element::kI32, Element::kI64, Element::kU8,   Element::kBool};

template <typename T>
std::uint64_t Address(const T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

TEST(ProblemKernelsOnHost, DrawWritesEveryElementAndNoMore) {
  for (const Element element : kElements) {
    for (const Draw draw : {Draw::kNormal, Draw::kUniform, Draw::kInteger, Draw::kConstant,
                            Draw::kArange}) {
      DrawParams p{};
      p.count = 333;
      p.seed = 99;
      p.first = -3;
      p.second = 20;
      p.draw = draw;
      p.element = element;
      const Bytes expected = HostDraw(p);
      Bytes drawn(expected.size() + 8, 0xEE);
      p.target = Address(drawn.data());
      RunOnHost(croq_draw, p, 2, 64);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), drawn.begin()));
      EXPECT_EQ(drawn[expected.size()], 0xEE);
    }
  }
}

/// A tensor of 3 x 70 elements whose values are small whole numbers, right in every type.
struct Case {
  explicit Case(Element type) : element(type), output(Encode(values())) {
    if (IsReal(type)) {
      for (const double value : values()) reference_values.push_back(static_cast<float>(value));
    } else {
      reference = output;
    }
  }

  static std::vector<double> values() {
    std::vector<double> made(210);
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<double>(i * 5 % 8);
    return made;
  }

  Bytes Encode(const std::vector<double>& list) const {
    DrawParams p{};
    p.element = element;
    p.draw = Draw::kConstant;
    Bytes bytes(list.size() * static_cast<std::size_t>(SizeOf(element)));
    for (std::size_t i = 0; i < list.size(); ++i) PutDrawn(p, i, list[i], &bytes);
    return bytes;
  }

  CompareShare Check(unsigned blocks = 3) const {
    std::vector<CompareShare> shares(blocks);
    CheckParams p{};
    p.output = Address(output.data());
    p.reference = IsReal(element) ? Address(reference_values.data()) : Address(reference.data());
    p.scales = Address(scales.data());
    p.shares = Address(shares.data());
    p.count = 210;
    p.columns = 70;
    p.on_reference = 0.01;
    p.on_scale = 0.1;
    p.element = element;
    RunOnHost(croq_check, p, blocks, kBlockThreads);
    CompareShare total = shares[0];
    for (unsigned i = 1; i < blocks; ++i) Join(total, shares[i]);
    return total;
  }

  Element element;
  std::vector<float> reference_values;
  Bytes reference;
  std::vector<float> scales{1, 10, 1};
  Bytes output;
};

TEST(ProblemKernelsOnHost, CheckAcceptsTheReferenceInEveryType) {
  for (const Element element : kElements) {
    const CompareShare found = Case(element).Check();
    EXPECT_EQ(found.over_bound + found.nan_count + found.inf_count, 0u);
    EXPECT_EQ(found.max_abs_err, 0);
    EXPECT_EQ(found.worst_ratio, 0);
  }
}

TEST(ProblemKernelsOnHost, CheckFindsAWrongElementInEveryType) {
  for (const Element element : kElements) {
    Case one(element);
    std::vector<double> values = Case::values();
    values[170] = element == Element::kBool ? (values[170] == 0 ? 1 : 0) : values[170] + 2;
    const std::uint64_t right = one.Check().hash.low;
    one.output = one.Encode(values);
    const CompareShare found = one.Check();
    EXPECT_EQ(found.over_bound, 1u);
    EXPECT_EQ(found.worst_index, 170u);
    EXPECT_NE(found.hash.low, right);
    EXPECT_EQ(found.worst_ratio == kNonFiniteRatio, !IsReal(element));
  }
}

TEST(ProblemKernelsOnHost, EachRowHasItsScale) {
  Case one(Element::kF32);
  std::vector<double> values = Case::values();
  values[75] += 0.9;   // row 1: within 10 * 0.1
  values[150] += 0.9;  // row 2: beyond 1 * 0.1 + 0.15
  one.output = one.Encode(values);
  const CompareShare found = one.Check();
  EXPECT_EQ(found.over_bound, 1u);
  EXPECT_EQ(found.worst_index, 150u);
}

TEST(ProblemKernelsOnHost, PoisonIsSeenInEveryRealType) {
  for (const Element element : kElements) {
    Case one(element);
    const std::size_t size = static_cast<std::size_t>(SizeOf(element));
    const unsigned char poison = IsReal(element) ? 0xFF : 0xA5;
    std::fill(one.output.begin() + static_cast<std::ptrdiff_t>(33 * size),
              one.output.begin() + static_cast<std::ptrdiff_t>(35 * size), poison);
    const CompareShare found = one.Check();
    EXPECT_EQ(found.nan_count, IsReal(element) ? 2u : 0u);
    EXPECT_EQ(found.over_bound, 2u);
    EXPECT_EQ(found.worst_index, 33u);
  }
}

TEST(ProblemKernelsOnHost, LargeIntegersAreHeldApart) {
  // 2^53 and 2^53 + 1 are one double.
  Case one(Element::kI64);
  const std::int64_t near[] = {1ll << 53, (1ll << 53) + 1};
  std::memcpy(one.output.data() + 80, &near[0], 8);
  std::memcpy(one.reference.data() + 80, &near[1], 8);
  EXPECT_EQ(one.Check().over_bound, 1u);
}

}  // namespace
}  // namespace croq::runner
