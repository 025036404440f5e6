#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outlined.h"

namespace croq::source {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> WarningsOf(const std::string& source, const OutlineOptions& options = {}) {
  return Outlined("import triton, torch; import triton.language as tl\n" + source, options)
      .Warnings();
}

/// A kernel that is autotuned over B with these further arguments; its body starts in line 4.
std::string TunedKernel(const std::string& arguments, const std::string& body) {
  return "@triton.autotune([triton.Config({'B': 64}), triton.Config({'B': 128})], ['n']" +
         arguments + ")\n@triton.jit\ndef k(x, y, n, B: tl.constexpr):\n" + body;
}

TEST(OutlineWarnings, NamesThatAreNoParameter) {
  const std::string source =
      "@triton.heuristics({'EVEN': f})\n"
      "@triton.autotune(configs=[triton.Config({'B': 1}), triton.Config({'BLOK': 2})],\n"
      "    key=['num'],\n    reset_to_zero=['outt'],\n    restore_value=['buff'])\n"
      "@triton.jit\ndef k(x, n, B): pass\n";
  EXPECT_THAT(WarningsOf(source), ElementsAre("heuristics-name@2", "config-name@3", "key-name@4",
                                              "reset-name@5", "restore-name@6"));
}

TEST(OutlineWarnings, DuplicatesWithDefaultsAndOrderAside) {
  EXPECT_THAT(WarningsOf("@triton.autotune([triton.Config({'A': 1, 'B': 2}),\n"
                         "  triton.Config({'B': 2, 'A': 1}, num_warps=4, num_stages=3)], [])\n"
                         "@triton.jit\ndef k(A, B): pass\n"),
              ElementsAre("duplicate-config@3"));
  EXPECT_THAT(WarningsOf("@triton.autotune([triton.Config({'A': 1}, pre_hook=f),\n"
                         "  triton.Config({'A': 1}, pre_hook=g)], [])\n"
                         "@triton.jit\ndef k(A): pass\n"),
              IsEmpty());
  const Outlined many(std::string(kImports) +
                      "@triton.autotune([triton.Config({'A': 1}) for i in range(4)], [])\n"
                      "@triton.jit\ndef k(A): pass\n");
  ASSERT_EQ(many.outline.warnings.size(), 1U);
  EXPECT_THAT(many.outline.warnings[0].message, HasSubstr("3 of 4 configurations"));
}

TEST(OutlineWarnings, InPlaceAndAccumulating) {
  const std::string in_place = "  p = x + tl.arange(0, B)\n  v = tl.load(p)\n  tl.store(p, v)\n";
  EXPECT_THAT(WarningsOf(TunedKernel("", in_place)), ElementsAre("in-place@7"));
  EXPECT_THAT(WarningsOf(TunedKernel(", restore_value=['x']", in_place)), IsEmpty());
  EXPECT_THAT(WarningsOf(TunedKernel(", pre_hook=h", in_place)), IsEmpty());
  EXPECT_THAT(WarningsOf(TunedKernel(", reset_to_zero=['x']", in_place)),
              ElementsAre("reset-lost@2"));
  EXPECT_THAT(WarningsOf(TunedKernel("", "  tl.atomic_add(y + n, 1)\n")),
              ElementsAre("accumulates@5"));
  EXPECT_THAT(WarningsOf(TunedKernel("", "  tl.store(y, tl.load(x + n * 2))\n")), IsEmpty());
  EXPECT_THAT(WarningsOf(TunedKernel("", "  d = tl.make_tensor_descriptor(x, [n], [1], [B])\n"
                                         "  d.store([0], d.load([0]))\n")),
              ElementsAre("in-place@6"));
  EXPECT_THAT(WarningsOf("@triton.jit\ndef twice(p): tl.store(p, tl.load(p))\n" +
                         TunedKernel("", "  twice(y)\n")),
              ElementsAre("in-place@7"));
  EXPECT_THAT(WarningsOf(TunedKernel("", "  tl.store(x, n)\n  tl.store(y, tl.load(x))\n")), IsEmpty());
  // One configuration is used without a trial.
  EXPECT_THAT(WarningsOf("@triton.autotune([triton.Config({})], [])\n@triton.jit\n"
                         "def k(x): tl.store(x, tl.load(x))\n"),
              IsEmpty());
}

TEST(OutlineWarnings, AGridThatIgnoresTheBlock) {
  const std::string kernel =
      TunedKernel("", "  pid = tl.program_id(0)\n  tl.store(y + pid * B + n, 0)\n");
  EXPECT_THAT(WarningsOf(kernel + "k[(8,)](x, y, n)\n"), ElementsAre("needs-gpu@7", "grid@7"));
  const auto in_launcher = [&](const std::string& launch) {
    return WarningsOf(kernel + "def f(x, y, n, B):\n  grid = (triton.cdiv(n, 64),)\n  " + launch);
  };
  EXPECT_THAT(in_launcher("k[grid](x, y, n)\n"), ElementsAre("grid@9"));
  EXPECT_THAT(in_launcher("k[lambda M: (n,)](x, y, n)\n"), ElementsAre("grid@9"));
  EXPECT_THAT(in_launcher("k[lambda M: (M['A'],)](x, y, n)\n"), ElementsAre("grid@9"));
  EXPECT_THAT(in_launcher("k[lambda M: (triton.cdiv(n, M['B']),)](x, y, n)\n"), IsEmpty());
  EXPECT_THAT(in_launcher("k[lambda M: size(M)](x, y, n)\n"), IsEmpty());
  EXPECT_THAT(in_launcher("k[unknown](x, y, n)\n"), IsEmpty());
  EXPECT_THAT(in_launcher("if n:\n    grid = lambda M: (M['B'],)\n    k[grid](x, y, n)\n"
                          "  else:\n    grid = (1,)\n"),
              IsEmpty());
  EXPECT_THAT(WarningsOf(TunedKernel("", "  i = tl.program_id(0) * B\n"
                                         "  for _ in range(0, n, B * 8):\n    i += B * 8\n"
                                         "    tl.store(y + i, 0)\n") +
                         "def f(): k[(8,)](x, y, n)\n"),
              IsEmpty());
  EXPECT_THAT(in_launcher("k.fn[grid](x, y, n, B)\n"), IsEmpty());
  EXPECT_THAT(in_launcher("k[lambda M: (M['B'],)](x, y, n, B=64)\n"), ElementsAre("conflict@9"));
  EXPECT_THAT(WarningsOf(TunedKernel("", "  pid = tl.program_id(0)\n"
                                         "  for i in range(pid * B, n, tl.num_programs(0) * B):\n"
                                         "    tl.store(y + i, 0)\n") +
                         "def f(): k[(8,)](x, y, n)\n"),
              IsEmpty());
}

TEST(OutlineWarnings, TopLevelCodeThatNeedsAGpu) {
  EXPECT_THAT(WarningsOf("A = torch.cuda.get_device_properties(0)\n"
                         "D = triton.runtime.driver.active.get_active_torch_device()\n"
                         "x = torch.empty(1, device='cuda')\ny = make().cuda()\n"
                         "class C:\n  z = torch.cuda.current_device()\n"
                         "def f(a=torch.cuda.get_device_capability()): pass\n"),
              ElementsAre("needs-gpu@2", "needs-gpu@3", "needs-gpu@4", "needs-gpu@5",
                          "needs-gpu@7", "needs-gpu@8"));
  EXPECT_THAT(WarningsOf("def sms():\n  return count()\ndef count():\n"
                         "  return torch.cuda.get_device_properties(0)\nSMS = sms()\n"),
              ElementsAre("needs-gpu@6"));
  EXPECT_THAT(WarningsOf("ok = torch.cuda.is_available()\nd = torch.device('cuda')\n"
                         "if torch.cuda.is_available():\n  x = torch.cuda.current_device()\n"
                         "try:\n  x = torch.cuda.current_device()\nexcept Exception: x = 0\n"
                         "def later(): return torch.cuda.current_device()\n"
                         "f = lambda: torch.cuda.current_device()\n"
                         "if __name__ == '__main__':\n  x = torch.empty(1, device='cuda')\n"),
              IsEmpty());
}

TEST(OutlineWarnings, OptionsOfOtherTimesAndBackEnds) {
  EXPECT_THAT(WarningsOf("C = [triton.Config({'B': 1, 'waves_per_eu': 2}),\n"
                         "  triton.Config({'B': 1}, num_consumer_groups=2),\n"
                         "  triton.Config(meta={'B': 2}),\n"
                         "  triton.Config({'B': 3}, num_ctas=2, maxnreg=128)]\n"
                         "@triton.autotune(C, [], warmup=5,\n rep=20,\n use_cuda_graph=None)\n"
                         "@triton.jit\ndef k(B): pass\n"),
              ElementsAre("backend-option@2", "api-drift@3", "api-drift@4", "deprecated@6",
                          "deprecated@7"));
}

TEST(OutlineWarnings, TopK) {
  const auto top_k = [](const std::string& value) {
    return WarningsOf("@triton.autotune([triton.Config({})], [], {'perf_model': f, 'top_k': " +
                      value + "})\n@triton.jit\ndef k(): pass\n");
  };
  for (const char* bad : {"0", "-1", "1.5", "True", "None", "'all'", "0.0"})
    EXPECT_THAT(top_k(bad), ElementsAre("top-k@2")) << bad;
  for (const char* good : {"1", "10", "0.5", "1.0", "float('nan')"})
    EXPECT_THAT(top_k(good), IsEmpty()) << good;
}

TEST(OutlineWarnings, StackedAutotunesAndOverriddenValues) {
  EXPECT_THAT(WarningsOf("@triton.autotune([triton.Config({'B': 1})], [])\n"
                         "@triton.autotune([triton.Config({'B': 2})], [])\n"
                         "@triton.jit\ndef k(B): pass\n"),
              ElementsAre("nested-autotune@3"));
  EXPECT_THAT(WarningsOf("@triton.autotune([triton.Config({'B': 1})], [])\n"
                         "@triton.heuristics({'B': f, 'num_warps': g})\n@triton.jit\ndef k(B): pass\n"),
              ElementsAre("overridden@3"));
  EXPECT_THAT(WarningsOf("@triton.autotune([], [])\n@triton.jit\ndef k(B): pass\n"),
              ElementsAre("no-configs@2"));
}

TEST(OutlineWarnings, OffsetsBeyond32Bits) {
  const auto at = [](const std::string& body, std::int64_t rows, std::int64_t columns) {
    OutlineOptions options;
    options.shape = {{"M", rows}, {"N", columns}};
    return WarningsOf("@triton.jit\ndef k(x, M, N, stride, B: tl.constexpr = 128):\n"
                      "  r = tl.program_id(0)\n  c = tl.arange(0, B)\n" + body +
                      "def f(x): k[(M,)](x, M, N, s)\n",
                      options);
  };
  const std::string plain = "  tl.store(x + r * N + c, 0)\n";
  EXPECT_THAT(at(plain, 65536, 65536), ElementsAre("int32-overflow@6"));
  EXPECT_THAT(at(plain, 32768, 65536), ElementsAre());  // 32767 * 65536 still fits
  EXPECT_THAT(at(plain, 32769, 65536), ElementsAre("int32-overflow@6"));
  EXPECT_THAT(at(plain, 1024, 1024), IsEmpty());
  EXPECT_THAT(at("  tl.store(x + r.to(tl.int64) * N + c, 0)\n", 65536, 65536), IsEmpty());
  EXPECT_THAT(at("  q = tl.cast(r, tl.int64)\n  tl.store(x + q * N + c, 0)\n", 65536, 65536),
              IsEmpty());
  EXPECT_THAT(at("  tl.store(x + (r % 8) * N + c[:, None] * stride, 0)\n", 65536, 65536), IsEmpty());
  EXPECT_THAT(at("  tl.store(x + r * stride, 0)\n", 65536, 65536),
              ElementsAre("int32-overflow@6"));
  EXPECT_THAT(at("  for i in range(0, N, B):\n    tl.store(x + i * M, 0)\n", 65536, 65536),
              ElementsAre("int32-overflow@7"));
  EXPECT_THAT(WarningsOf("@triton.jit\ndef k(x, M, N): tl.store(x + M * N, 0)\n"), IsEmpty());
}

}  // namespace
}  // namespace croq::source
