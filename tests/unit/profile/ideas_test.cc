#include "croq/profile/ideas.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "unit/profile/helpers.h"

namespace croq::profile {
namespace {

using ::testing::HasSubstr;

class Ideas : public ::testing::Test {
 protected:
  std::vector<RankedIdea> Rank(const KernelProfile& evidence,
                               const std::vector<IdeaRecord>& history = {}) {
    return RankIdeas(Triton(), {"matmul", dtype_, capability_, space_, base_}, evidence, history);
  }

  static RankedIdea Get(const std::vector<RankedIdea>& ranked, const std::string& id) {
    const auto found =
        std::ranges::find_if(ranked, [&](const auto& one) { return one.idea->id == id; });
    if (found == ranked.end()) {
      ADD_FAILURE() << "no idea " << id;
      return {};
    }
    return *found;
  }

  static std::size_t Place(const std::vector<RankedIdea>& ranked, const std::string& id) {
    return static_cast<std::size_t>(
        std::ranges::find_if(ranked, [&](const auto& one) { return one.idea->id == id; }) -
        ranked.begin());
  }

  DType dtype_ = DType::kF16Fp32;
  int capability_ = 90;
  SearchSpace space_ = Space();
  Config base_ = Tiled();
};

TEST_F(Ideas, TheWholeMenuIsListedWithReasonsForWhatDoesNotApply) {
  for (const char* verdict :
       {"memory_bound", "compute_bound", "latency_bound", "launch_bound", "mixed"}) {
    const auto ranked = Rank(Of(verdict));
    EXPECT_EQ(ranked.size(), Triton().ideas.size());
    for (const RankedIdea& one : ranked) {
      EXPECT_EQ(one.reason.empty(), one.applicable) << one.idea->id;
      EXPECT_EQ(one.evidence.empty(), !one.applicable) << one.idea->id;
    }
  }
}

TEST_F(Ideas, AnswerTheirOwnVerdict) {
  const auto ranked = Rank(Of("latency_bound"));
  EXPECT_TRUE(Get(ranked, "latency_more_stages").applicable);
  const RankedIdea memory = Get(ranked, "memory_larger_tiles");
  EXPECT_FALSE(memory.applicable);
  EXPECT_EQ(memory.reason, "it answers memory_bound, mixed, and the kernel is latency_bound");
}

TEST_F(Ideas, ThoseOfAnotherVerdictComeLastWhereTheyAreAskedFor) {
  const KernelProfile evidence = Of("latency_bound");
  const auto all =
      RankIdeas(Triton(), {"matmul", dtype_, capability_, space_, base_, true}, evidence, {});
  const RankedIdea memory = Get(all, "memory_larger_tiles");
  EXPECT_TRUE(memory.applicable);
  EXPECT_THAT(memory.evidence,
              HasSubstr("it answers memory_bound: nothing else is left to try"));
  EXPECT_GT(Place(all, "memory_larger_tiles"), Place(all, "latency_more_stages"));
  EXPECT_LT(memory.score, Get(Rank(Of("memory_bound")), "memory_larger_tiles").score / 5);
}

TEST_F(Ideas, ComeBestFirst) {
  const auto ranked = Rank(Of("compute_bound"));
  for (std::size_t i = 1; i < ranked.size(); ++i) {
    EXPECT_GE(ranked[i - 1].applicable, ranked[i].applicable);
    if (ranked[i].applicable) {
      EXPECT_GE(ranked[i - 1].score, ranked[i].score);
    }
  }
}

TEST_F(Ideas, TheVerdictNearTheBoundaryCountsLess) {
  KernelProfile evidence = Of("compute_bound");
  EXPECT_FALSE(Get(Rank(evidence), "latency_more_stages").applicable);
  evidence.runner_up = "latency_bound";
  const RankedIdea near = Get(Rank(evidence), "latency_more_stages");
  EXPECT_TRUE(near.applicable);
  EXPECT_THAT(near.evidence, HasSubstr("near latency_bound"));
  EXPECT_LT(near.score, Get(Rank(Of("latency_bound")), "latency_more_stages").score);
}

TEST_F(Ideas, ArePointlessWhereACounterSaysSo) {
  KernelProfile evidence = Of("latency_bound");
  evidence.Set("stages_left", 0, "worked out");
  const RankedIdea stages = Get(Rank(evidence), "latency_more_stages");
  EXPECT_FALSE(stages.applicable);
  EXPECT_EQ(stages.reason,
            "shared memory is full: no further stage fits [stages_left 0 (worked out)]");
}

TEST_F(Ideas, SayTheNumbersThatSpeakForThem) {
  KernelProfile evidence = Of("latency_bound");
  evidence.Set("sm_pct", 41, "sm__throughput");
  evidence.Set("stall_long_scoreboard_pct", 50, "smsp__long");
  const RankedIdea stages = Get(Rank(evidence), "latency_more_stages");
  EXPECT_EQ(stages.evidence,
            "latency_bound, sm 41.0% (sm__throughput), stall_long_scoreboard 50.0% (smsp__long)");
  EXPECT_NEAR(stages.expected_gain, 1 / (1 - 0.25), 1e-9);
}

TEST_F(Ideas, EvidenceAgainstThemCostsRank) {
  KernelProfile bare = Of("latency_bound");
  KernelProfile against = Of("latency_bound");
  against.Set("stall_barrier_pct", 1, "b");
  KernelProfile with = Of("latency_bound");
  with.Set("stall_barrier_pct", 30, "b");
  const auto score = [&](const KernelProfile& profile) {
    return Get(Rank(profile), "latency_larger_block_k").score;
  };
  base_.values["BLOCK_K"] = Number(32);
  EXPECT_LT(score(against), score(bare));
  EXPECT_LT(score(bare), score(with));
}

TEST_F(Ideas, MissesSinkAndHitsRise) {
  const auto before = Rank(Of("latency_bound"));
  const std::string first = before.front().idea->id;
  const auto after = Rank(Of("latency_bound"), {{first, 4, 0}});
  EXPECT_GT(Place(after, first), 0U);
  EXPECT_LT(Get(after, first).score, before.front().score);
  EXPECT_GT(Get(Rank(Of("latency_bound"), {{first, 3, 3}}), first).score, before.front().score);
}

TEST_F(Ideas, PrecisionIsNeverTraded) {
  dtype_ = DType::kF32;
  const RankedIdea tf32 = Get(Rank(Of("compute_bound")), "compute_allow_tf32");
  EXPECT_FALSE(tf32.applicable);
  EXPECT_EQ(tf32.reason, "allow_tf32 is fixed by the dtype (f32): precision is part of the shape "
                         "key and never traded unseen");
  dtype_ = DType::kF16Fp32;
  EXPECT_EQ(Get(Rank(Of("compute_bound")), "compute_allow_tf32").reason,
            "it is for f32, tf32fp32, and the problem is f16fp32");
}

TEST_F(Ideas, NeedTheirArchitectureTheirLeverAndTheirVariant) {
  EXPECT_EQ(Get(Rank(Of("latency_bound")), "latency_warp_specialize").reason,
            "for this problem the variant tiled comes without WARP_SPECIALIZE (docs/variants.md "
            "says where each lever goes)");
  base_.variant = "persistent";
  base_.values.erase("EVICT_A");
  base_.values["WARP_SPECIALIZE"] = Number(0);
  EXPECT_TRUE(Get(Rank(Of("latency_bound")), "latency_warp_specialize").applicable);
  EXPECT_EQ(Get(Rank(Of("launch_bound")), "launch_persistent").reason,
            "the kernel is persistent already");
  capability_ = 80;
  EXPECT_EQ(Get(Rank(Of("latency_bound")), "latency_warp_specialize").reason,
            "it needs compute capability 90, and the device has 80");
}

TEST_F(Ideas, CantMoveALeverBeyondItsEnd) {
  base_.values["num_stages"] = Number(4);
  EXPECT_EQ(Get(Rank(Of("latency_bound")), "latency_more_stages").reason,
            "num_stages can't move up from where the kernel has it");
  base_.values["num_stages"] = Number(3);
  EXPECT_TRUE(Get(Rank(Of("latency_bound")), "latency_more_stages").applicable);
}

TEST_F(Ideas, AVariantThatIsNotOfferedIsSaid) {
  EXPECT_EQ(Get(Rank(Of("launch_bound")), "launch_split_k").reason,
            "no variant of matmul realises it here (split_k_descriptor, split_k)");
  space_.variants.push_back({"split_k", space_.variants[0].levers});
  EXPECT_TRUE(Get(Rank(Of("launch_bound")), "launch_split_k").applicable);
  EXPECT_THAT(Get(Rank(Of("launch_bound")), "launch_fusion").reason,
              HasSubstr("one operator alone"));
}

TEST_F(Ideas, L2IdeasAnswerAMemoryVerdictOfThatLevel) {
  KernelProfile evidence = Of("memory_bound");
  const double dram = Get(Rank(evidence), "l2_swizzle").score;
  evidence.level = "l2";
  EXPECT_GT(Get(Rank(evidence), "l2_swizzle").score, dram);
}

TEST_F(Ideas, CountersAreComparedWithWhatWasExpected) {
  const contract::Idea& idea = *Get(Rank(Of("latency_bound")), "latency_more_stages").idea;
  KernelProfile before = Of("latency_bound");
  before.Set("stall_long_scoreboard_pct", 40, "s");
  KernelProfile after = before;
  after.Set("stall_long_scoreboard_pct", 30, "s");
  auto changes = CompareCounters(idea, before, after);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].figure, "stall_long_scoreboard_pct");
  EXPECT_TRUE(changes[0].known && changes[0].as_expected);
  EXPECT_FALSE(changes[1].known);
  EXPECT_TRUE(ToJson(changes[1]).at("as_expected").is_null());
  EXPECT_FALSE(CompareCounters(idea, after, before)[0].as_expected);
  after.Set("stall_long_scoreboard_pct", 39.9, "s");
  EXPECT_FALSE(CompareCounters(idea, before, after)[0].as_expected) << "less than the noise";
}

TEST_F(Ideas, GainsStayWithinTheirBounds) {
  const contract::ExpectedGain gain{1.1, 1.5, "tail_pct", 0.5};
  KernelProfile evidence;
  EXPECT_EQ(GainOf(gain, evidence), 1.1);
  evidence.Set("tail_pct", 20, "t");
  EXPECT_NEAR(GainOf(gain, evidence), 1 / 0.9, 1e-9);
  evidence.Set("tail_pct", 100, "t");
  EXPECT_EQ(GainOf(gain, evidence), 1.5);
  evidence.Set("tail_pct", -5, "t");
  EXPECT_EQ(GainOf(gain, evidence), 1);
}

}  // namespace
}  // namespace croq::profile
