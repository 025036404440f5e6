#include "croq/contract/contract.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "croq/contract/contract_json.h"
#include "unit/contract/helpers.h"

namespace croq::contract {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Values(const Contract& contract, std::string_view lever, bool beyond) {
  std::vector<std::string> values;
  const LeverRule* rule = contract.FindLever(lever);
  if (rule == nullptr)
    return {"no such lever"};
  for (const LeverChoice& choice : rule->choices) {
    if (choice.beyond_contract == beyond)
      values.push_back(ToText(choice.value));
  }
  return values;
}

TEST(Contract, HoldsTheHeadOfTheDsl) {
  const Contract contract = Triton();
  EXPECT_EQ(contract.dsl.name, "triton");
  EXPECT_EQ(contract.dsl.extension, ".py");
  EXPECT_EQ(contract.dsl.group, "python-jit");
}

TEST(Contract, HasATolerancePerDType) {
  const Contract contract = Triton();
  EXPECT_EQ(contract.ToleranceOf(DType::kF16Fp32), 1e-3);
  EXPECT_EQ(contract.ToleranceOf(DType::kBf16Fp32), 1e-2);
  EXPECT_EQ(contract.ToleranceOf(DType::kF32), 1e-4);
  EXPECT_EQ(contract.ToleranceOf(DType::kTf32Fp32), 3e-3);
  EXPECT_EQ(contract.ToleranceOf(DType::kE4m3Fp32), 1e-2);
  EXPECT_EQ(contract.ToleranceOf(DType::kE4m3Fp16Fp32), 5e-3);
  for (const Tolerance& tolerance : contract.verify.tolerances) {
    const bool own =
        tolerance.dtype != DType::kF16Fp32 && tolerance.dtype != DType::kBf16Fp32;
    EXPECT_EQ(tolerance.beyond_contract, own) << FactsOf(tolerance.dtype).name;
  }
}

TEST(Contract, TimesTenAndFiftyLaunches) {
  const Contract contract = Triton();
  EXPECT_EQ(contract.bench.warmup, 10);
  EXPECT_EQ(contract.bench.iterations, 50);
}

TEST(Contract, LeversSplitTheContractsValuesFromCroqs) {
  const Contract contract = Triton();
  EXPECT_THAT(Values(contract, "BLOCK_M", false), ElementsAre("32", "64", "128", "256"));
  EXPECT_THAT(Values(contract, "BLOCK_M", true), ElementsAre("16"));
  EXPECT_THAT(Values(contract, "num_warps", false), ElementsAre("4", "8", "16"));
  EXPECT_THAT(Values(contract, "num_stages", false),
              ElementsAre("1", "2", "3", "4", "5", "6", "7"));
  EXPECT_THAT(Values(contract, "EVICT_A", true), ElementsAre("none", "evict_first", "evict_last"));
}

TEST(Contract, LeverGoesToTheSearchInOrder) {
  const Contract contract = Triton();
  const LeverRule* rule = contract.FindLever("BLOCK_M");
  ASSERT_NE(rule, nullptr);
  EXPECT_THAT(rule->AsLever().values, ElementsAre(LeverValue(16), LeverValue(32), LeverValue(64),
                                                  LeverValue(128), LeverValue(256)));
  EXPECT_TRUE(rule->Allows(LeverValue(64)));
  EXPECT_FALSE(rule->Allows(LeverValue(48)));
  EXPECT_FALSE(rule->Allows(LeverValue(std::string("64"))));
}

TEST(Contract, PrecisionIsFixedByTheProblem) {
  const Contract contract = Triton();
  const LeverRule* rule = contract.FindLever("allow_tf32");
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->kind, LeverKind::kProblem);
}

TEST(Contract, MenuHasIdeasForEachBottleneck) {
  const Contract contract = Triton();
  for (const char* name :
       {"memory_bound", "compute_bound", "latency_bound", "launch_bound", "l2"}) {
    EXPECT_FALSE(contract.IdeasFor(name).empty()) << name;
  }
  EXPECT_TRUE(contract.IdeasFor("no such bottleneck").empty());
}

constexpr int kGroupM = 8;
constexpr int kTiles = 32;

/// Tiles that a map of program ids reaches, at 4096x4096 with 128x128 tiles and GROUP_M = 8.
template <typename Map>
std::size_t TilesReached(Map map) {
  std::set<std::pair<int, int>> reached;
  for (int pid = 0; pid < kTiles * kTiles; ++pid) reached.insert(map(pid));
  return reached.size();
}

TEST(Contract, SwizzleReadingIsTrue) {
  EXPECT_EQ(TilesReached([](int pid) {
              const int swizzled = (pid % kGroupM) * kTiles + pid / kGroupM;
              return std::pair(swizzled / kTiles, swizzled % kTiles);
            }),
            352U);
  EXPECT_EQ(TilesReached([](int pid) {
              const int width = kGroupM * kTiles;
              const int first = pid / width * kGroupM;
              const int size = std::min<int>(kTiles - first, kGroupM);
              return std::pair(first + pid % width % size, pid % width / size);
            }),
            1024U);
  const Contract contract = Triton();
  EXPECT_THAT(contract.readings.front().problem, HasSubstr("352 of 1024"));
}

TEST(Contract, JsonNamesTheSections) {
  const nlohmann::json json = Triton();
  for (const char* section : {"dsl", "environment", "build", "run", "profile", "preamble", "verify",
                              "bench", "baseline", "purity", "ideas", "levers", "readings"}) {
    EXPECT_TRUE(json.contains(section)) << section;
  }
  EXPECT_EQ(json.at("levers").at(0).at("values").at(0), 16);
  EXPECT_EQ(json.at("levers").at(0).at("values_beyond_contract").at(0), 16);
}

TEST(FindContract, ListsTheDslsThereAre) {
  const auto found = FindContract(SourceDir() / "contracts", "trition");
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(found.error().message,
              AllOf(HasSubstr("unknown DSL 'trition'"), HasSubstr("there is: triton"),
                    HasSubstr("did you mean triton?")));
}

TEST(FindContract, TakesNoPath) {
  EXPECT_FALSE(FindContract(SourceDir() / "contracts", "../contracts/triton").has_value());
}

TEST(FindContract, EmptyFolderIsABrokenInstallation) {
  const ScratchFolder folder;
  const auto found = FindContract(folder.path(), "triton");
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().kind, ErrorKind::kFatal);
}

}  // namespace
}  // namespace croq::contract
