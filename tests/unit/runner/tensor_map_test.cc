#include "croq_runner/tensor_map.h"

#include <gtest/gtest.h>

namespace croq::runner {
namespace {

CompiledKernel::TensorDescMeta Meta(int elem_type = 6) {
  return {3, 2, elem_type, {128, 64}};
}
DescriptorArgument Matrix() {
  return {0, 0, {1000, 2000}, {2048, 1}, false};
}

std::string ErrorOf(const DescriptorArgument& argument,
                    const CompiledKernel::TensorDescMeta& meta = Meta()) {
  const auto params = MakeTensorMapParams(argument, meta);
  return params ? "" : params.error().message;
}

TEST(TensorMap, DimensionsTurnAround) {
  const auto params = MakeTensorMapParams(Matrix(), Meta());
  ASSERT_TRUE(params) << params.error().message;
  EXPECT_EQ(params->rank, 2u);
  EXPECT_EQ(params->dims[0], 2000u);
  EXPECT_EQ(params->dims[1], 1000u);
  EXPECT_EQ(params->box[0], 64u);
  EXPECT_EQ(params->box[1], 128u);
  EXPECT_EQ(params->strides[0], 4096u);
  EXPECT_EQ(params->swizzle, CU_TENSOR_MAP_SWIZZLE_128B);
  EXPECT_EQ(params->fill, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

TEST(TensorMap, ThreeDimensions) {
  const auto params =
      MakeTensorMapParams({0, 0, {4, 6, 8}, {96, 16, 1}, true}, {0, 4, 7, {1, 2, 8}});
  ASSERT_TRUE(params) << params.error().message;
  EXPECT_EQ(params->dims, (std::array<cuuint64_t, 5>{8, 6, 4, 0, 0}));
  EXPECT_EQ(params->box, (std::array<cuuint32_t, 5>{8, 2, 1, 0, 0}));
  EXPECT_EQ(params->strides, (std::array<cuuint64_t, 5>{64, 384, 0, 0, 0}));
  EXPECT_EQ(params->fill, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
}

TEST(TensorMap, ElementTypesAreTheDrivers) {
  const std::pair<int, CUtensorMapDataType> types[] = {
      {0, CU_TENSOR_MAP_DATA_TYPE_UINT8},    {6, CU_TENSOR_MAP_DATA_TYPE_FLOAT16},
      {7, CU_TENSOR_MAP_DATA_TYPE_FLOAT32},  {8, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ},
      {9, CU_TENSOR_MAP_DATA_TYPE_FLOAT64},  {10, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16},
      {11, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32}};
  for (const auto& [triton, driver] : types) {
    EXPECT_EQ(MakeTensorMapParams(Matrix(), Meta(triton))->type, driver) << triton;
  }
}

TEST(TensorMap, WhatTheHardwareWouldNotTakeIsSaidInWords) {
  DescriptorArgument argument = Matrix();
  argument.strides = {2001, 1};
  EXPECT_NE(ErrorOf(argument).find("stride 0 of a tensor descriptor is 2001"), std::string::npos);
  argument = Matrix();
  argument.strides = {1, 1000};
  EXPECT_NE(ErrorOf(argument).find("last stride must be 1"), std::string::npos);
  argument = Matrix();
  argument.shape = {0, 2000};
  EXPECT_NE(ErrorOf(argument).find("dimension 0"), std::string::npos);
  argument = Matrix();
  argument.shape = {10};
  EXPECT_NE(ErrorOf(argument).find("dimensions"), std::string::npos);
  EXPECT_NE(ErrorOf(Matrix(), {0, 2, 6, {512, 64}}).find("block dimension 0"), std::string::npos);
  EXPECT_NE(ErrorOf(Matrix(), {0, 2, 6, {}}).find("1 to 5"), std::string::npos);
  EXPECT_NE(ErrorOf(Matrix(), {0, 0, 6, {128, 64}}).find("element size"), std::string::npos);
}

}  // namespace
}  // namespace croq::runner
