#include "croq/operators/script.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "croq/base/files.h"
#include "croq/model/iteration.h"
#include "operators/cases.h"
#include "unit/operators/helpers.h"

namespace croq::operators {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Equal to tests/golden/operators/<name>; CROQ_ACCEPT=1 writes it anew.
void ExpectGolden(const std::string& name, const std::string& text) {
  const auto file = SourceDir() / "tests" / "golden" / "operators" / name;
  if (std::getenv("CROQ_ACCEPT") != nullptr) {
    ASSERT_TRUE(WriteFileAtomic(file, text));
    GTEST_SKIP() << "wrote " << file;
  }
  EXPECT_EQ(text, Must(ReadFile(file)));
}

TEST(Script, Tiled) {
  ExpectGolden("tiled.py", Must(Factory("matmul_f16fp32_1000x2000x3000")
                                    ->Render(Configured(kTiled, "EVICT_A=evict_last"))).source);
}

TEST(Script, Descriptor) {
  ExpectGolden("descriptor.py",
               Must(Factory("matmul_nt_bf16fp32_4096x4096x4096")->Render(Configured(kDescriptor)))
                   .source);
}

TEST(Script, Persistent) {
  ExpectGolden("persistent.py", Must(Factory(kSquare)->Render(Configured(
                                         kPersistent, "BLOCK_N=256 EPILOGUE_SPLIT=2 FLATTEN=1")))
                                    .source);
}

TEST(Script, PersistentPointer) {
  const Config config = Configured(
      "persistent_pointer EVICT_A=none EVICT_B=evict_first FLATTEN=0 PROGRAMS_PER_SM=2 BLOCK_M=64 "
      "BLOCK_N=64 BLOCK_K=32 GROUP_M=4 EPILOGUE_SPLIT=1 num_warps=4 num_stages=4 num_ctas=1");
  ExpectGolden("persistent_pointer.py",
               Must(Factory("matmul_nt_tf32fp32_1031x2053x4096")->Render(config)).source);
}

TEST(Script, SplitK) {
  ExpectGolden("split_k.py",
               Must(Factory("matmul_f16fp32_200x1000x3000")->Render(Configured(kSplitK))).source);
}

TEST(Script, SplitKDescriptor) {
  ExpectGolden("persistent_host.py", Must(Factory(kSquare)->Render(Configured(kPersistentHost)))
                                         .source);
  ExpectGolden("skinny.py",
               Must(Factory("matmul_nt_f16fp32_16x8192x8192")->Render(Configured(kSkinny))).source);
  ExpectGolden("split_k_descriptor.py",
               Must(Factory(kThin)->Render(Configured(kSplitKDescriptor))).source);
}

TEST(Script, StreamK) {
  ExpectGolden("stream_k.py", Must(Factory(kThin)->Render(Configured(kStreamK))).source);
}

TEST(Script, Float8) {
  ExpectGolden("scaled_persistent_host.py",
               Must(Factory("matmul_nt_e4m3fp32_4096x4096x4096")->Render(Configured(kPersistentHost)))
                   .source);
  ExpectGolden("block_scaled_tiled.py",
               Must(Factory("blockscale_gemm_e4m3fp16fp32_1000x2000x3008")->Render(Configured(kTiled)))
                   .source);
}

TEST(Script, Float8Baselines) {
  const Script scaled = Must(Factory("matmul_nt_e4m3fp32_4096x4096x4096")->BaselineScript());
  EXPECT_EQ(scaled.tag, "torch_scaled_mm");
  ExpectGolden("scaled_baseline.py", scaled.source);
  const Script blocks = Must(Factory("blockscale_gemm_e4m3fp16fp32_64x64x256")->BaselineScript());
  EXPECT_EQ(blocks.tag, "torch_matmul");
  ExpectGolden("block_scaled_baseline.py", blocks.source);
}

TEST(Script, Baseline) {
  const Script script = Must(Factory("matmul_nt_tf32fp32_4096x4096x512")->BaselineScript());
  EXPECT_EQ(script.tag, "torch_matmul");
  ExpectGolden("baseline.py", script.source);
}

TEST(Script, BaselineNeverUsesTf32ForF32) {
  EXPECT_THAT(Must(Factory("matmul_f32_64x64x64")->BaselineScript()).source,
              Not(HasSubstr("allow_tf32 = True")));
}

TEST(Script, PrecisionIsTheDTypes) {
  const auto source = [](const char* key) {
    return Must(Factory(key)->Render(Configured(kTiled))).source;
  };
  EXPECT_THAT(source("matmul_f32_4096x4096x4096"), HasSubstr("input_precision=\"ieee\""));
  EXPECT_THAT(source("matmul_tf32fp32_4096x4096x4096"), HasSubstr("input_precision=\"tf32\""));
  EXPECT_THAT(source(kSquare), Not(HasSubstr("input_precision")));
}

TEST(Script, LayoutDoesNotDependOnValues) {
  const auto factory = Factory(kSquare);
  const auto lines = [&](const char* changes) {
    const std::string source = Must(factory->Render(Configured(kPersistent, changes))).source;
    return std::count(source.begin(), source.end(), '\n');
  };
  EXPECT_EQ(lines(""), lines("BLOCK_M=64 BLOCK_N=256 FLATTEN=1 EPILOGUE_SPLIT=2 num_stages=7"));
}

TEST(Script, TagNamesTheConfiguration) {
  const auto tag = [](const Config& config) { return MatmulTag(Must(ReadMatmulConfig(config))); };
  EXPECT_EQ(tag(Configured(kTiled)), "tiled_128x128x64_w8_s3");
  EXPECT_EQ(tag(Configured(kTiled, "num_ctas=2")), "tiled_128x128x64_w8_s3_c2");
  EXPECT_EQ(tag(Configured(kSplitK, "SPLIT_K=4")), "splitk_128x128x64_w8_s3_k4");
}

TEST(Script, TritonConfigHasTheKernelsConstants) {
  EXPECT_EQ(Factory(kSquare)->TritonConfig(Configured(kDescriptor)),
            "triton.Config({\"BLOCK_M\": 128, \"BLOCK_N\": 128, \"BLOCK_K\": 64, \"GROUP_M\": 8, "
            "\"EPILOGUE_SPLIT\": 1}, num_warps=8, num_stages=3)");
  EXPECT_THAT(Factory("matmul_f16fp32_4096x4096x1")->TritonConfig(Configured(kTiled)),
              Not(AnyOf(HasSubstr("EVEN_"), HasSubstr("\"K\""))));
}

RC_GTEST_PROP(Script, WhateverIsAcceptedRendersWithAValidTag, ()) {
  static const auto factories = [] {
    std::vector<std::unique_ptr<CandidateFactory>> list;
    for (const char* key :
         {kSquare, "matmul_nt_bf16fp32_1000x2000x3000", "matmul_f32_1031x2053x8192",
          "matmul_nt_tf32fp32_16x8192x512", "matmul_f16fp32_1x1x1"}) {
      list.push_back(Factory(key));
    }
    return list;
  }();
  const auto pick = [](std::size_t end) { return *rc::gen::inRange<std::size_t>(0, end); };
  const CandidateFactory& factory = *factories[pick(factories.size())];
  const Config config = RandomConfig(factory.Space(), pick);
  RC_PRE(!factory.Space().reject(config));
  const Result<Script> script = factory.Render(config);
  RC_ASSERT(script.has_value());
  RC_ASSERT(IsValidTag(script->tag));
  RC_ASSERT(script->source.find("{{") == std::string::npos);
  RC_ASSERT(script->source.find("#@") == std::string::npos);
  RC_ASSERT(factory.MakeTwin(config).has_value());
}

}  // namespace
}  // namespace croq::operators
