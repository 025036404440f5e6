#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "croq/operators/operator.h"
#include "croq/profile/ideas.h"
#include "croq/tune/idea_rounds.h"
#include "unit/tune/tune_fixture.h"

/// The menu against what the operators really offer.
namespace croq::tune {
namespace {

/// Every lever at its first, middle or last value.
Config At(const VariantSpace& variant, int part) {
  Config config{variant.variant, {}};
  for (const Lever& lever : variant.levers) {
    const std::size_t last = lever.values.size() - 1;
    config.values[lever.name] = lever.values[last * static_cast<std::size_t>(part) / 2];
  }
  return config;
}

void Collect(const std::string& key, int compute_capability, std::set<std::string>& reached,
             std::map<std::string, std::string>& reasons) {
  const ShapeKey shape = Must(ParseShapeKey(key));
  const DeviceFacts device = Must(OfflineDevice(compute_capability));
  const auto folder = std::filesystem::path(CROQ_SOURCE_DIR) / "python" / "operators";
  const auto factory = Must(operators::MakeFactory(shape, device, TritonContract(), folder));
  for (const VariantSpace& variant : factory->Space().variants) {
    for (int part = 0; part <= 2; ++part) {
      const Config base = At(variant, part);
      for (const contract::Idea& idea : TritonContract().ideas) {
        profile::KernelProfile evidence;
        evidence.bottleneck = idea.bottleneck;
        const profile::IdeaTarget target{std::string(NameOf(shape.op)), shape.dtype,
                                         compute_capability, factory->Space(), base};
        for (const auto& one : profile::RankIdeas(TritonContract(), target, evidence, {})) {
          if (one.applicable) reached.insert(one.idea->id);
          if (one.idea == &idea && !one.applicable) reasons[idea.id] = one.reason;
        }
      }
    }
  }
}

TEST(IdeaMenu, EveryEntryIsReachedOrSaysWhyNot) {
  std::set<std::string> reached;
  std::map<std::string, std::string> reasons;
  for (const char* key : {"matmul_f16fp32_4096x4096x4096", "matmul_nt_f16fp32_64x8192x8192",
                          "matmul_f16fp32_1000x2001x3001", "matmul_f32_1024x1024x1024", "matmul_tf32fp32_1024x1024x1024"}) {
    Collect(key, 90, reached, reasons);
  }
  std::set<std::string> unreached;
  for (const contract::Idea& idea : TritonContract().ideas) {
    if (reached.contains(idea.id)) continue;
    unreached.insert(idea.id);
    EXPECT_FALSE(reasons[idea.id].empty()) << idea.id;
  }
  // Precision is the shape key's; a session has one operator.
  for (const char* expected : {"compute_allow_tf32", "launch_fusion"}) {
    EXPECT_EQ(unreached.erase(expected), 1U) << expected;
  }
  for (const std::string& id : unreached) {
    EXPECT_NE(reasons[id].find("no variant of matmul"), std::string::npos) << id << reasons[id];
  }
}

/// From a fast kernel of an H200 no idea that applies may be left without a setting to try.
TEST(IdeaMenu, AnApplicableIdeaHasSettingsTheSpaceAllows) {
  const ShapeKey shape = Must(ParseShapeKey("matmul_f16fp32_4096x4096x4096"));
  const DeviceFacts device = Must(OfflineDevice(90));
  const auto folder = std::filesystem::path(CROQ_SOURCE_DIR) / "python" / "operators";
  const auto factory = Must(operators::MakeFactory(shape, device, TritonContract(), folder));
  const Config base =
      Must(ParseConfig("persistent BLOCK_K=64 BLOCK_M=128 BLOCK_N=256 EPILOGUE_SPLIT=2 FLATTEN=1 "
                       "GROUP_M=16 PROGRAMS_PER_SM=1 WARP_SPECIALIZE=0 num_ctas=1 num_stages=3 "
                       "num_warps=8"));
  ASSERT_FALSE(factory->Space().reject(base)) << *factory->Space().reject(base);
  const profile::IdeaTarget target{std::string(NameOf(shape.op)), shape.dtype, 90,
                                   factory->Space(), base, true};
  profile::KernelProfile evidence;
  evidence.bottleneck = "compute_bound";
  std::set<std::string> without;
  for (const auto& one : profile::RankIdeas(TritonContract(), target, evidence, {})) {
    if (!one.applicable) continue;
    const auto configs =
        search::IdeaConfigs(factory->Space(), base, MoveOf(*one.idea), {}, {}, 4);
    if (configs.empty()) without.insert(one.idea->id);
  }
  // Two programs of this tile don't fit an SM; a split K is for grids that leave SMs idle.
  EXPECT_EQ(without, (std::set<std::string>{"latency_programs", "launch_split_k"}));
}

}  // namespace
}  // namespace croq::tune
