#include "croq_runner/numerics.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "croq_runner/kernels_ptx.h"

namespace croq::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Known answers of the generator's authors (Random123, kat_vectors, philox4x32 with 10 rounds).
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_THAT(Philox({{0, 0, 0, 0}}, 0, 0).word,
              ElementsAre(0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u));
  const std::uint32_t ones = 0xffffffffu;
  EXPECT_THAT(Philox({{ones, ones, ones, ones}}, ones, ones).word,
              ElementsAre(0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu));
  EXPECT_THAT(
      Philox({{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}}, 0xa4093822u, 0x299f31d0u).word,
      ElementsAre(0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u));
}

std::vector<double> Sample(std::uint32_t stream, int count) {
  std::vector<double> values;
  for (int pair = 0; pair < count / 2; ++pair) {
    const PhiloxWords w = Philox(InputCounter(static_cast<std::uint64_t>(pair), stream), 7, 11);
    values.push_back(CentredSum(w.word[0], w.word[1]) / kCentredSumDeviation);
    values.push_back(CentredSum(w.word[2], w.word[3]) / kCentredSumDeviation);
  }
  return values;
}

double Moment(const std::vector<double>& values, int power) {
  double sum = 0;
  for (const double value : values) sum += std::pow(value, power);
  return sum / static_cast<double>(values.size());
}

TEST(CentredSum, IsCloseToStandardNormal) {
  const std::vector<double> values = Sample(0, 400000);
  EXPECT_NEAR(Moment(values, 1), 0, 0.01);
  EXPECT_NEAR(Moment(values, 2), 1, 0.01);
  EXPECT_NEAR(Moment(values, 3), 0, 0.02);
  EXPECT_NEAR(Moment(values, 4), 2.7, 0.05);  // 3 - 6 / (5 * 4) for a sum of four uniforms
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 3.47);
}

TEST(CentredSum, HasItsExtremesAtTheEnds) {
  EXPECT_EQ(CentredSum(0, 0), -131070);
  EXPECT_EQ(CentredSum(0xffffffffu, 0xffffffffu), 131070);
}

TEST(InputCounter, GivesUnrelatedStreams) {
  const std::vector<double> first = Sample(0, 100000);
  const std::vector<double> second = Sample(1, 100000);
  double product = 0;
  for (std::size_t i = 0; i < first.size(); ++i) product += first[i] * second[i];
  EXPECT_NEAR(product / static_cast<double>(first.size()), 0, 0.02);
}

HashPair HashOf(const std::vector<std::uint64_t>& values) {
  HashPair sum{0, 0};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const HashPair one = HashElement(i, values[i]);
    sum.low += one.low;
    sum.high += one.high;
  }
  return sum;
}

TEST(HashElement, TellsBitsAndPlacesApart) {
  std::vector<std::uint64_t> values{1, 2, 3, 0, 0};
  const HashPair before = HashOf(values);
  std::swap(values[0], values[1]);
  EXPECT_NE(HashOf(values).low, before.low);
  EXPECT_NE(HashOf(values).high, before.high);
  std::swap(values[0], values[1]);
  EXPECT_EQ(HashOf(values).low, before.low);
  values[4] ^= 1ull << 63;
  EXPECT_NE(HashOf(values).low, before.low);
  EXPECT_NE(HashOf(values).high, before.high);
}

TEST(KernelsPtx, IsEmbeddedAndLoadableByTheOldestDriver) {
  const std::string ptx = kKernelsPtx;
  EXPECT_THAT(ptx, HasSubstr("\n.version 8.0\n.target sm_80\n"));
  for (const char* name :
       {"croq_fill", "croq_reference", "croq_compare", "croq_hash", "croq_guard"}) {
    EXPECT_THAT(ptx, HasSubstr(".visible .entry " + std::string(name) + "("));
  }
}

}  // namespace
}  // namespace croq::runner
