#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outlined.h"

namespace croq::source {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> KernelNames(const Outlined& outlined) {
  std::vector<std::string> names;
  for (const KernelInfo& kernel : outlined.outline.kernels) names.push_back(kernel.qualified_name);
  return names;
}

std::vector<std::string> Decorators(const KernelInfo& kernel) {
  std::vector<std::string> names;
  for (const DecoratorInfo& decorator : kernel.decorators) names.push_back(decorator.name);
  return names;
}

TEST(OutlineKernels, ParametersAndDecoratorsInOrder) {
  const Outlined outlined(std::string(kImports) +
                          "@other.thing\n@triton.heuristics({'E': lambda a: 1, 'F': f})\n"
                          "@triton.jit(do_not_specialize=['n'])\n"
                          "def k(x_ptr, n: tl.int32, B: tl.constexpr = 64, *, E: 'tl.constexpr', "
                          "F: tl.constexpr = None): pass\n");
  const KernelInfo& kernel = outlined.Kernel("k");
  EXPECT_THAT(Decorators(kernel), ElementsAre("other.thing", "triton.heuristics", "triton.jit"));
  ASSERT_EQ(kernel.parameters.size(), 5U);
  EXPECT_EQ(kernel.parameters[1].annotation, "tl.int32");
  EXPECT_FALSE(kernel.parameters[1].is_constexpr);
  EXPECT_TRUE(kernel.Parameter("B")->is_constexpr);
  EXPECT_EQ(kernel.Parameter("B")->default_value->integer, 64);
  EXPECT_TRUE(kernel.Parameter("E")->is_constexpr);
  EXPECT_EQ(kernel.Parameter("E")->default_value, nullptr);
  EXPECT_NE(kernel.Parameter("F")->default_value, nullptr);
  EXPECT_TRUE(kernel.Parameter("F")->keyword_only);
  ASSERT_EQ(kernel.heuristics.size(), 1U);
  EXPECT_EQ(kernel.heuristics[0]->values[1].name, "F");
  EXPECT_EQ(kernel.autotune, nullptr);
}

TEST(OutlineKernels, FoundInEveryDress) {
  const Outlined outlined(
      "import triton as tr\nfrom triton import autotune, Config, jit\nimport functools\n"
      "C = [Config({'B': 1})]\n"
      "tuned = autotune(configs=C, key=['n'])\n"
      "def helper(): return autotune(configs=C, key=['n'])\n"
      "def both(f): return autotune(C, ['n'])(jit(f))\n"
      "my_jit = jit\n"
      "def raw(n, B): pass\n"
      "by_call = tr.jit(raw)\n"
      "by_both = tr.autotune(C, ['n'])(tr.jit(raw))\n"
      "held = tuned(jit(raw))\n"
      "table = {'a': tuned(jit(raw)), 'b': jit(raw)}\n"
      "if tr:\n  @tuned\n  @jit\n  def branch(n, B): pass\n"
      "class A:\n  @staticmethod\n  @tr.autotune(C, ['n'])\n  @my_jit\n  def method(n, B): pass\n"
      "def outer():\n  @jit\n  def inner(n, B): pass\n  return inner\n"
      "made = tuned(outer())\n"
      "@helper()\n@jit\ndef helped(n, B): pass\n"
      "@both\ndef dressed(n, B): pass\n"
      "@functools.partial(jit, noinline=True)\ndef partial(n, B): pass\n"
      "@jit\ndef one_line(n, B): return n\n"
      "'''\n@triton.jit\ndef text(n): pass\n'''\n"
      "def plain(n): pass\n");
  EXPECT_THAT(KernelNames(outlined),
              ElementsAre("by_call", "by_both", "held", "table['a']",
                          "table['b']", "branch", "A.method", "outer.<locals>.inner", "made",
                          "helped", "dressed", "partial", "one_line"));
  for (const char* name : {"by_both", "held", "table['a']", "branch", "A.method", "made", "helped",
                           "dressed"}) {
    ASSERT_NE(outlined.Kernel(name).autotune, nullptr) << name;
    EXPECT_EQ(outlined.Kernel(name).autotune->configs.size(), 1U) << name;
  }
  for (const char* name : {"by_call", "table['b']", "outer.<locals>.inner", "partial", "one_line"})
    EXPECT_EQ(outlined.Kernel(name).autotune, nullptr) << name;
  EXPECT_EQ(outlined.Kernel("made").definition->text, "inner");
}

TEST(OutlineKernels, ANameThatIsWrappedAgainAndAgainIsOneKernel) {
  const Outlined outlined(
      "import triton\n"
      "def f(n, B): pass\nf = triton.jit(f)\nf = triton.heuristics({'B': lambda a: 1})(f)\n"
      "@triton.jit\ndef g(n, B): pass\n"
      "g = triton.autotune([triton.Config({'B': 1})], ['n'])(g)\n"
      "@triton.jit\ndef raw(n, B): pass\n"
      "other = triton.autotune([triton.Config({'B': 1})], ['n'])(raw)\n"
      "@triton.jit\ndef maybe(n, B): pass\n"
      "if triton:\n    maybe = triton.heuristics({'B': lambda a: 1})(maybe)\n"
      "def launch(x):\n    f[(1,)](x)\n    g[(1,)](x)\n");
  EXPECT_THAT(KernelNames(outlined), ElementsAre("f", "g", "raw", "other", "maybe", "maybe"));
  EXPECT_THAT(Decorators(outlined.Kernel("f")), ElementsAre("triton.heuristics", "triton.jit"));
  EXPECT_EQ(outlined.Kernel("f").heuristics.size(), 1U);
  ASSERT_EQ(outlined.outline.launch_sites.size(), 2U);
  EXPECT_THAT(outlined.outline.launch_sites[0].kernels, ElementsAre(&outlined.Kernel("f")));
  EXPECT_THAT(outlined.outline.launch_sites[1].kernels, ElementsAre(&outlined.Kernel("g")));
}

TEST(OutlineKernels, AutotunersOfOtherPackages) {
  const Outlined outlined(
      "import triton\nfrom fla.utils import cached_autotune, thing\n"
      "@cached_autotune(configs=[triton.Config({'B': b}) for b in (1, 2)], key=['n'], **more)\n"
      "@triton.jit\ndef a(n, B): pass\n"
      "@thing(configs=[], key=[])\n@cached_autotune\n@triton.jit\ndef b(n, B): pass\n");
  ASSERT_NE(outlined.Kernel("a").autotune, nullptr);
  EXPECT_EQ(outlined.Kernel("a").autotune->configs.size(), 2U);
  EXPECT_EQ(outlined.Kernel("a").decorators[0].name, "fla.utils.cached_autotune");
  EXPECT_EQ(outlined.Kernel("b").autotune, nullptr);
}

TEST(OutlineKernels, OtherJitsAreNone) {
  const Outlined outlined(
      "import torch, numba\nfrom jax import jit\n"
      "@torch.jit.script\ndef a(): pass\n@numba.jit\ndef b(): pass\n@jit\ndef c(): pass\n"
      "@unknown\ndef d(): pass\n");
  EXPECT_THAT(KernelNames(outlined), IsEmpty());
}

TEST(OutlineKernels, PackagesThatHandTritonOn) {
  const Outlined outlined("from vllm.triton_utils import tl, triton\nfrom .utils import triton as t\n"
                          "@triton.jit\ndef a(x, B: tl.constexpr): tl.store(x, B)\n"
                          "@t.jit\ndef b(): pass\n");
  EXPECT_THAT(KernelNames(outlined), ElementsAre("a", "b"));
  EXPECT_TRUE(outlined.Kernel("a").Parameter("B")->is_constexpr);
}

TEST(OutlineKernels, CarriageReturnsTabsSemicolonsAndBom) {
  const Outlined outlined(
      "\xEF\xBB\xBFimport triton; tl = triton.language\r\n\r\n# \xC3\xA9\r\nclass A:\r\n"
      "\t@triton.jit\r\n\tdef k(x, B: tl.constexpr):\r\n\t\tp = tl.program_id(0); tl.store(x, p)\r\n"
      "x = 1; A.k[(1,)](x, B=2); y = 2\r\n");
  EXPECT_THAT(KernelNames(outlined), ElementsAre("A.k"));
  EXPECT_TRUE(outlined.Kernel("A.k").parameters[1].is_constexpr);
  ASSERT_EQ(outlined.outline.launch_sites.size(), 1U);
  EXPECT_EQ(outlined.outline.launch_sites[0].kernel(), &outlined.Kernel("A.k"));
}

TEST(OutlineKernels, LaunchSites) {
  const Outlined outlined(std::string(kImports) + R"(
from functools import partial
import ops
@triton.jit
def inner(x): pass
@triton.autotune([triton.Config({})], [])
@triton.jit
def k(x, n, B): inner(x)
other = triton.jit(raw)
grid = (1, 2)
def size(meta): return (1,)
def launcher(x, table):
    k[lambda META: (META['B'],)](x, n=3, **extra)
    k.fn[grid](x)
    k[size](x)
    wrap(k)[(1,)](x)
    bound = k[(1,)]
    bound(x, 7)
    partial(k[(1,)], x)(7)
    k.run(x, grid=(1,), warmup=False)
    ops.kernel[grid](x)
    table[x](1)
    (k if x else inner)[n](x)
class Op:
    def __init__(self): self.k = k
    def go(self, x): self.k[grid](x)
k[(1,)](0)
)");
  std::vector<std::string> forms;
  const char* const kForms[] = {"subscript", "fn", "run", "wrapped"};
  const char* const kGrids[] = {"tuple", "lambda", "function", "name", "expression"};
  for (const LaunchSite& site : outlined.outline.launch_sites) {
    std::string names;
    for (const KernelInfo* kernel : site.kernels) names += " " + kernel->name;
    forms.push_back(std::string(kForms[static_cast<int>(site.form)]) + " " +
                    kGrids[static_cast<int>(site.grid_kind)] + names);
  }
  EXPECT_THAT(forms,
              ElementsAre("subscript lambda k", "fn tuple k", "subscript function k",
                          "wrapped tuple k", "wrapped tuple k", "wrapped tuple k", "run tuple k",
                          "subscript tuple", "subscript name k inner", "subscript tuple",
                          "subscript tuple k"));
  const LaunchSite& first = outlined.outline.launch_sites[0];
  EXPECT_EQ(first.positional.size(), 1U);
  ASSERT_EQ(first.keywords.size(), 2U);
  EXPECT_EQ(first.keywords[0].name, "n");
  EXPECT_EQ(first.keywords[0].literal, Literal(std::int64_t{3}));
  EXPECT_EQ(first.keywords[1].name, "");
  EXPECT_EQ(outlined.outline.launch_sites[5].positional.size(), 1U);
  std::vector<std::string> launchers;
  for (const LauncherInfo& launcher : outlined.outline.launchers)
    launchers.push_back(launcher.qualified_name);
  EXPECT_THAT(launchers, ElementsAre("launcher", "Op.go"));
  EXPECT_TRUE(outlined.Kernel("inner").called_by_kernels);
  EXPECT_FALSE(outlined.Kernel("k").called_by_kernels);
}

TEST(OutlineKernels, DescriptorsAndDeviceReads) {
  const Outlined outlined(std::string(kImports) + R"(
import torch
from triton.tools.tensor_descriptor import TensorDescriptor
SMS = torch.cuda.get_device_properties(0).multi_processor_count
def launch(x):
    d = TensorDescriptor.from_tensor(x, [1, 2])
    return triton.runtime.driver.active.get_current_target().arch
@triton.jit
def k(x):
    d = tl.make_tensor_descriptor(x, [1], [1], [1])
)");
  std::vector<std::string> found;
  for (const auto* list : {&outlined.outline.descriptors, &outlined.outline.device_reads}) {
    for (const Mention& mention : *list)
      found.push_back(mention.what + (mention.at_import ? " at import" : ""));
  }
  EXPECT_THAT(found,
              ElementsAre("triton.tools.tensor_descriptor.TensorDescriptor.from_tensor",
                          "triton.language.make_tensor_descriptor",
                          "torch.cuda.get_device_properties at import",
                          "triton.runtime.driver.active.get_current_target"));
}

}  // namespace
}  // namespace croq::source
