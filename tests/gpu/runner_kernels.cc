#include "gpu/runner_kernels.h"

#include <fstream>

namespace croq::runner {

const char* const kRunnerTestPtx = R"(
.version 7.0
.target sm_80
.address_size 64

.visible .entry naive(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pm,
                      .param .u32 pn, .param .u32 pk, .param .u64 scratch, .param .u64 profile)
.reqntid 128
{
  .reg .pred %p<3>;
  .reg .b16 %h<4>;
  .reg .f32 %f<4>;
  .reg .b32 %r<16>;
  .reg .b64 %d<16>;
  ld.param.u64 %d1, [pa];
  ld.param.u64 %d2, [pb];
  ld.param.u64 %d3, [pc];
  ld.param.u32 %r1, [pm];
  ld.param.u32 %r2, [pn];
  ld.param.u32 %r3, [pk];
  cvta.to.global.u64 %d1, %d1;
  cvta.to.global.u64 %d2, %d2;
  cvta.to.global.u64 %d3, %d3;
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r6, %r4, 128, %r5;
  mul.lo.u32 %r7, %r1, %r2;
  setp.ge.u32 %p1, %r6, %r7;
  @%p1 bra done;
  div.u32 %r8, %r6, %r2;
  rem.u32 %r9, %r6, %r2;
  mul.lo.u32 %r10, %r8, %r3;
  mul.wide.u32 %d4, %r10, 2;
  add.u64 %d4, %d1, %d4;
  mul.wide.u32 %d5, %r9, 2;
  add.u64 %d5, %d2, %d5;
  mul.wide.u32 %d6, %r2, 2;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r11, 0;
loop:
  ld.global.b16 %h1, [%d4];
  ld.global.b16 %h2, [%d5];
  cvt.f32.f16 %f2, %h1;
  cvt.f32.f16 %f3, %h2;
  fma.rn.f32 %f1, %f2, %f3, %f1;
  add.u64 %d4, %d4, 2;
  add.u64 %d5, %d5, %d6;
  add.u32 %r11, %r11, 1;
  setp.lt.u32 %p2, %r11, %r3;
  @%p2 bra loop;
  cvt.rn.f16.f32 %h3, %f1;
  mul.wide.u32 %d7, %r6, 2;
  add.u64 %d7, %d3, %d7;
  st.global.b16 [%d7], %h3;
done:
  ret;
}

.visible .entry lazy(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pm,
                     .param .u32 pn, .param .u32 pk, .param .u64 scratch, .param .u64 profile)
.reqntid 128
{
  ret;
}

.visible .entry wild(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pm,
                     .param .u32 pn, .param .u32 pk, .param .u64 scratch, .param .u64 profile)
.reqntid 128
{
  .reg .b32 %r<2>;
  .reg .b64 %d<2>;
  mov.u64 %d1, 64;
  mov.u32 %r1, 1;
  st.global.u32 [%d1], %r1;
  ret;
}

.visible .entry endless(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pm,
                        .param .u32 pn, .param .u32 pk, .param .u64 scratch, .param .u64 profile)
.reqntid 128
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  .reg .b64 %d<2>;
  ld.param.u64 %d1, [pa];
  cvta.to.global.u64 %d1, %d1;
again:
  // Volatile, so that no compiler may take the loop for finite or empty.
  ld.volatile.global.u32 %r1, [%d1];
  setp.ne.u32 %p1, %r1, 4294967295;
  @%p1 bra again;
  ret;
}
)";

const char* const kProblemTestPtx = R"(
.version 7.0
.target sm_80
.address_size 64

.visible .entry accumulate(.param .u64 px, .param .u64 pr, .param .u64 py, .param .u32 pn,
                           .param .u32 mode, .param .u64 scratch, .param .u64 profile)
.reqntid 128
{
  .reg .pred %p<4>;
  .reg .f32 %f<6>;
  .reg .b32 %r<8>;
  .reg .b64 %d<12>;
  ld.param.u64 %d1, [px];
  ld.param.u64 %d2, [pr];
  ld.param.u64 %d3, [py];
  ld.param.u32 %r1, [pn];
  ld.param.u32 %r2, [mode];
  cvta.to.global.u64 %d1, %d1;
  cvta.to.global.u64 %d2, %d2;
  cvta.to.global.u64 %d3, %d3;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r3, 128, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra done;
  mul.wide.u32 %d4, %r5, 4;
  add.u64 %d5, %d1, %d4;
  add.u64 %d6, %d2, %d4;
  add.u64 %d7, %d3, %d4;
  ld.global.f32 %f1, [%d5];
  ld.global.f32 %f2, [%d6];
  // mode 1, or a residual that is not 1 any more: a million clocks longer
  setp.eq.f32 %p2, %f2, 0f3F800000;
  setp.ne.and.u32 %p2, %r2, 1, %p2;
  @%p2 bra go;
  mov.u64 %d8, %clock64;
wait:
  mov.u64 %d9, %clock64;
  sub.u64 %d10, %d9, %d8;
  setp.lt.u64 %p3, %d10, 1000000;
  @%p3 bra wait;
go:
  add.f32 %f3, %f2, %f1;
  st.global.f32 [%d6], %f3;
  add.f32 %f4, %f3, %f3;
  // mode 2: the first input is written; mode 3: the last output is not; mode 4: y is not doubled
  setp.eq.u32 %p3, %r2, 2;
  @%p3 st.global.f32 [%d5], %f4;
  setp.eq.u32 %p3, %r2, 4;
  @%p3 mov.f32 %f4, %f3;
  add.u32 %r6, %r5, 1;
  setp.eq.u32 %p3, %r6, %r1;
  setp.eq.and.u32 %p3, %r2, 3, %p3;
  @!%p3 st.global.f32 [%d7], %f4;
done:
  ret;
}
)";

LaunchPlan AccumulatePlan(std::int64_t count, std::int64_t mode,
                          const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "problem.ptx";
  if (!std::filesystem::exists(path))
    std::ofstream(path) << kProblemTestPtx;
  CompiledKernel kernel;
  kernel.cubin_path = path;
  kernel.entry = "accumulate";
  LaunchStep step;
  step.grid = {(count + 127) / 128, 1, 1};
  step.arguments = {PointerArgument{0, 0}, PointerArgument{1, 0}, PointerArgument{2, 0},
                    ScalarArgument{"i32", count, 0}, ScalarArgument{"i32", mode, 0}};
  return {{kernel},
          {{"x", 4 * count, false}, {"r", 4 * count, false}, {"y", 4 * count, false}},
          {step}};
}

LaunchPlan PlanOf(const std::string& entry, const ShapeKey& shape,
                  const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "kernels.ptx";
  if (!std::filesystem::exists(path))
    std::ofstream(path) << kRunnerTestPtx;
  CompiledKernel kernel;
  kernel.cubin_path = path;
  kernel.entry = entry;
  const auto blocks = (shape.m * shape.n + 127) / 128;
  LaunchStep step;
  step.grid = {blocks, 1, 1};
  step.arguments = {PointerArgument{0, 0},
                    PointerArgument{1, 0},
                    PointerArgument{2, 0},
                    ScalarArgument{"i32", shape.m, 0},
                    ScalarArgument{"i32", shape.n, 0},
                    ScalarArgument{"i32", shape.k, 0}};
  return {{kernel},
          {{"a", 2 * shape.m * shape.k, false},
           {"b", 2 * shape.k * shape.n, false},
           {"c", 2 * shape.m * shape.n, false}},
          {step}};
}

}  // namespace croq::runner
