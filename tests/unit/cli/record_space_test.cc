#include "croq/cli/record_space.h"

#include <gtest/gtest.h>

#include "croq/contract/contract.h"
#include "croq/model/device.h"
#include "croq/operators/operator.h"
#include "croq/search/space_walk.h"

namespace croq::cli {
namespace {

std::int64_t Allowed(const std::string& key) {
  const std::filesystem::path root = CROQ_SOURCE_DIR;
  const contract::Contract contract =
      contract::LoadContract(root / "contracts" / "triton.toml").value();
  const ShapeKey shape = ParseShapeKey(key).value();
  const auto factory = operators::MakeFactory(shape, OfflineDevice(90).value(),
                                              contract, root / "python" / "operators").value();
  const SearchSpace space = RecordedPart(factory->Space(), shape);
  std::int64_t allowed = 0;
  for (const VariantSpace& variant : space.variants) {
    for (std::uint64_t i = 0; i < search::SizeOf(variant); ++i)
      allowed += space.reject(search::ConfigAt(variant, i)) ? 0 : 1;
  }
  return allowed;
}

TEST(RecordedPart, IsMeasuredInAMinuteOrTwo) {
  for (const char* key : {"matmul_nt_f16fp32_1024x1024x1024", "matmul_f16fp32_2048x2048x2048",
                          "matmul_f16fp32_4096x4096x4096", "matmul_nt_f16fp32_64x8192x8192",
                          "matmul_nt_f16fp32_256x8192x8192", "matmul_nt_f16fp32_16384x16384x512"}) {
    const std::int64_t allowed = Allowed(key);
    EXPECT_GT(allowed, 500) << key;
    EXPECT_LT(allowed, 3000) << key;
  }
}

}  // namespace
}  // namespace croq::cli
