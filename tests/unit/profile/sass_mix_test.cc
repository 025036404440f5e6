#include "croq/profile/sass_mix.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

namespace croq::profile {
namespace {

constexpr const char* kText = R"(	.headerflags	@"EF_CUDA_SM90"
matmul_kernel:
.text.matmul_kernel:
        /*0000*/                   LDC R1, c[0x0][0x28] ;                          /* 0x00000a00ff017b82 */
                                                                                   /* 0x000e220000000800 */
        /*0010*/              @!P0 BRA `(.L_x_1) ;
        /*0020*/              @UP0 UIADD3 UR4, UR4, 0x1, URZ ;
        /*0030*/                   HGMMA.64x256x16.F32 R24, gdesc[UR8], R24, !UPT ;
        /*0040*/                   HGMMA.64x256x16.F32 R24, gdesc[UR12], R24, gsb0 ;
        /*0050*/                   UTMALDG.2D [UR8], [UR4] ;
        /*0060*/                   LDSM.16.M88.4 R4, [R2] ;
        /*0070*/                   STL [R1], R3 ;
        /*0080*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
.L_x_1:
        /*0090*/                   EXIT ;
        /*00a0*/                   NOP;
)";

TEST(SassMix, CountsInstructionsByWhatTheyAreFor) {
  const SassMix mix = CountSass(kText);
  EXPECT_EQ(mix.total, 10);
  EXPECT_EQ(mix.opcodes.at("HGMMA"), 2);
  EXPECT_EQ(mix.classes.at("tensor"), 2);
  EXPECT_EQ(mix.classes.at("copy_engine"), 1);
  EXPECT_EQ(mix.classes.at("shared"), 1);
  EXPECT_EQ(mix.classes.at("local"), 1);
  EXPECT_EQ(mix.classes.at("barrier"), 1);
  EXPECT_EQ(mix.classes.at("branch"), 2);
  EXPECT_EQ(mix.classes.at("uniform"), 1);
  EXPECT_EQ(mix.classes.at("move"), 1);
  EXPECT_EQ(mix.opcodes.count("NOP"), 0U);
}

TEST(SassMix, OtherTextHasNone) {
  EXPECT_EQ(CountSass("").total, 0);
  EXPECT_EQ(CountSass("nvdisasm fatal   : Memory allocation failure\n/* note */ HGMMA\n").total, 0);
  EXPECT_EQ(CountSass("/*0000*/").total, 0);
  EXPECT_EQ(CountSass("  /*0000*/  @P0").total, 0);
}

TEST(SassMix, TheLongestPrefixDecides) {
  EXPECT_EQ(ClassOf("LDG"), "global");
  EXPECT_EQ(ClassOf("LDGSTS"), "global");
  EXPECT_EQ(ClassOf("LDGDEPBAR"), "barrier");
  EXPECT_EQ(ClassOf("LDS"), "shared");
  EXPECT_EQ(ClassOf("LDC"), "move");
  EXPECT_EQ(ClassOf("STL"), "local");
  EXPECT_EQ(ClassOf("RED"), "global");
  EXPECT_EQ(ClassOf("REDUX"), "integer");
  EXPECT_EQ(ClassOf("VIADD"), "integer");
  EXPECT_EQ(ClassOf("ULDC"), "uniform");
  EXPECT_EQ(ClassOf("YIELD"), "other");
}

TEST(SassMix, EveryClassIsShown) {
  const std::set<std::string_view> shown(SassClasses().begin(), SassClasses().end());
  for (const char* opcode : {"HMMA", "UBLKCP", "STG", "ATOMS", "LDL", "SYNCS", "FFMA", "MUFU",
                             "IMAD", "UMOV", "USHF", "BRA", "YIELD"}) {
    EXPECT_TRUE(shown.contains(ClassOf(opcode))) << opcode;
  }
}

}  // namespace
}  // namespace croq::profile
