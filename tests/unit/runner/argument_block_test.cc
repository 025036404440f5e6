#include "croq_runner/argument_block.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>

#include "support/half_bits.h"

namespace croq::runner {
namespace {

template <typename T>
T Value(const ArgumentBlock& block, std::size_t i) {
  T value;
  std::memcpy(&value, block.slot(i), sizeof value);
  return value;
}

ScalarArgument Integer(const std::string& type, std::int64_t value) {
  return {type, value, 0};
}
ScalarArgument Real(const std::string& type, double value) {
  return {type, 0, value};
}

TEST(ArgumentBlock, SizesAreThoseOfTheAbi) {
  ArgumentBlock block;
  block.AddPointer(0x1000);
  const std::pair<const char*, std::size_t> types[] = {
      {"i1", 1},  {"u1", 1},  {"i8", 1},  {"u8", 1},  {"i16", 2},
      {"u16", 2}, {"i32", 4}, {"u32", 4}, {"i64", 8}, {"u64", 8}};
  for (const auto& [type, bytes] : types) ASSERT_TRUE(block.AddScalar(Integer(type, 1))) << type;
  for (const char* type : {"fp16", "bf16", "fp32", "fp64"}) {
    ASSERT_TRUE(block.AddScalar(Real(type, 1.5))) << type;
  }
  EXPECT_EQ(block.size(0), 8u);
  for (std::size_t i = 0; i < std::size(types); ++i) {
    EXPECT_EQ(block.size(1 + i), types[i].second) << types[i].first;
  }
  EXPECT_EQ(block.size(11), 2u);
  EXPECT_EQ(block.size(12), 2u);
  EXPECT_EQ(block.size(13), 4u);
  EXPECT_EQ(block.size(14), 8u);
}

TEST(ArgumentBlock, ValuesAndSigns) {
  ArgumentBlock block;
  ASSERT_TRUE(block.AddScalar(Integer("i32", -5)));
  ASSERT_TRUE(block.AddScalar(Integer("u32", 4294967295)));
  ASSERT_TRUE(block.AddScalar(Integer("i64", -(std::int64_t{1} << 40))));
  ASSERT_TRUE(block.AddScalar(Real("fp32", 0.25)));
  ASSERT_TRUE(block.AddScalar(Real("fp64", 0.1)));
  EXPECT_EQ(Value<std::int32_t>(block, 0), -5);
  EXPECT_EQ(Value<std::uint32_t>(block, 1), 4294967295u);
  EXPECT_EQ(Value<std::int64_t>(block, 2), -(std::int64_t{1} << 40));
  EXPECT_EQ(Value<float>(block, 3), 0.25f);
  EXPECT_EQ(Value<double>(block, 4), 0.1);
}

TEST(ArgumentBlock, Bf16IsCutAndNotRounded) {
  ArgumentBlock block;
  ASSERT_TRUE(block.AddScalar(Real("bf16", 1.0 + 255.0 / 256 / 128)));
  EXPECT_EQ(Value<std::uint16_t>(block, 0), 0x3f80);
}

TEST(ArgumentBlock, ATruthValueReadsRightInAnyWidth) {
  ArgumentBlock block;
  ASSERT_TRUE(block.AddScalar(Integer("u1", 1)));
  EXPECT_EQ(Value<std::uint8_t>(block, 0), 1);
  EXPECT_EQ(Value<std::uint32_t>(block, 0), 1u);
}

TEST(ArgumentBlock, ValuesThatDoNotFitAreRefused) {
  ArgumentBlock block;
  EXPECT_FALSE(block.AddScalar(Integer("i32", std::int64_t{1} << 31)));
  EXPECT_TRUE(block.AddScalar(Integer("i32", -(std::int64_t{1} << 31))));
  EXPECT_FALSE(block.AddScalar(Integer("u32", -1)));
  EXPECT_FALSE(block.AddScalar(Integer("u1", 2)));
  EXPECT_FALSE(block.AddScalar(Integer("i8", 128)));
  EXPECT_FALSE(block.AddScalar(Integer("fp8e5", 1)));
}

TEST(ArgumentBlock, PointersFollowTheSlotsAndAreAligned) {
  ArgumentBlock block;
  for (int i = 0; i < 40; ++i) block.AddInt64(i);
  block.AddTensorMap(CUtensorMap{});
  ArgumentBlock moved = std::move(block);
  void** pointers = moved.Pointers();
  for (std::size_t i = 0; i < moved.count(); ++i) {
    EXPECT_EQ(pointers[i], moved.slot(i));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pointers[i]) % 128, 0u);
  }
  EXPECT_EQ(Value<std::int64_t>(moved, 39), 39);
}

TEST(HalfBits, EveryHalfComesBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = croq::testing::FloatFromHalf(static_cast<std::uint16_t>(bits));
    if (std::isnan(value))
      continue;
    ASSERT_EQ(HalfBits(static_cast<double>(value)), bits) << std::hex << bits;
  }
}

TEST(HalfBits, BetweenHalves) {
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const auto low =
        static_cast<double>(croq::testing::FloatFromHalf(static_cast<std::uint16_t>(bits)));
    const double high = bits == 0x7bff ? 65536.0
                                       : static_cast<double>(croq::testing::FloatFromHalf(
                                             static_cast<std::uint16_t>(bits + 1)));
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(HalfBits((low + high) / 2), even) << std::hex << bits;
    ASSERT_EQ(HalfBits(low + (high - low) * 0.51), bits + 1);
    ASSERT_EQ(HalfBits(low + (high - low) * 0.49), bits);
  }
  EXPECT_EQ(HalfBits(1e300), 0x7c00);
  EXPECT_EQ(HalfBits(-1e300), 0xfc00);
  EXPECT_EQ(HalfBits(1e-300), 0);
}

}  // namespace
}  // namespace croq::runner
