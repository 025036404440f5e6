#include <gmock/gmock.h>

#include <cmath>
#include <iostream>

#include "croq_runner/bound.h"
#include "croq_runner/device_kernels.h"
#include "croq_runner/nvml.h"
#include "gpu/gpu_fixture.h"
#include "support/matrix.h"

namespace croq::runner {
namespace {

using ::croq::testing::HostFill;
using ::croq::testing::HostReference;
using ::croq::testing::LoadElement;
using ::croq::testing::MultiplyOnHost;
using ::croq::testing::StoreElement;
using ::testing::HasSubstr;
using Bytes = std::vector<unsigned char>;

class RunnerDevice : public GpuTest {
 protected:
  static ReferenceParams Layout(const ShapeKey& shape) {
    const bool transposed = shape.BIsNk();
    ReferenceParams p{};
    p.m = shape.m;
    p.n = shape.n;
    p.k = shape.k;
    p.a_row_stride = shape.k;
    p.b_k_stride = transposed ? 1 : shape.n;
    p.b_column_stride = transposed ? shape.k : 1;
    p.element = OperandElement(shape.dtype);
    return p;
  }

  /// The host's product of set 0, rounded to the storage type, in C.
  static Bytes PutHonestResult(const PrepareRequest& request, const Operands& operands) {
    const ReferenceParams layout = Layout(request.shape);
    const HostReference host = MultiplyOnHost(Download(operands.a(0), operands.a_bytes()),
                                              Download(operands.b(0), operands.b_bytes()), layout);
    Bytes c(static_cast<std::size_t>(operands.c_bytes()));
    for (std::size_t i = 0; i < host.values.size(); ++i) {
      StoreElement(&c, static_cast<std::int64_t>(i), layout.element,
                   static_cast<float>(host.values[i]));
    }
    Upload(operands.c(0), c);
    return c;
  }
};

TEST_F(RunnerDevice, FactsAreThoseOfARealDevice) {
  const DeviceFacts& f = facts();
  std::cout << f.key << ": " << f.sm_count << " SMs, L2 " << f.l2_bytes << ", shared "
            << f.shared_bytes_per_block << ", f16 " << f.peak_tflops_f16 << " TFLOPS, tf32 "
            << f.peak_tflops_tf32 << ", f32 " << f.peak_tflops_f32 << ", memory "
            << f.memory_gb_per_s << " GB/s, driver " << f.driver_version << "\n";
  EXPECT_GT(f.sm_count, 0);
  EXPECT_GT(f.l2_bytes, 1 << 20);
  EXPECT_GE(f.shared_bytes_per_sm, f.shared_bytes_per_block);
  EXPECT_GT(f.memory_free_bytes, 0);
  EXPECT_LE(f.memory_free_bytes, f.memory_bytes);
  EXPECT_GT(f.peak_tflops_f16, f.peak_tflops_f32);
  EXPECT_GT(f.memory_gb_per_s, 100);
  EXPECT_TRUE(f.measured);
  if (f.name == "NVIDIA H200") {
    EXPECT_EQ(f.key, "sm90_NVIDIA_H200");
    EXPECT_EQ(f.sm_count, 132);
    EXPECT_NEAR(f.peak_tflops_f16, 1070, 30);   // 1980 MHz
    EXPECT_NEAR(f.memory_gb_per_s, 4900, 150);
  }
}

TEST_F(RunnerDevice, NvmlGivesTheClock) {
  auto nvml = Nvml::Open(driver(), 0);
  if (!nvml) GTEST_SKIP() << nvml.error().message;
  const ClockReading reading = (*nvml)->Read();
  std::cout << "SM clock " << reading.sm_clock_mhz << " MHz, throttle reasons "
            << reading.throttle_reasons << "\n";
  EXPECT_GT(reading.sm_clock_mhz, 100);
}

TEST_F(RunnerDevice, InputsEqualTheHostGeneratorAndDiffer) {
  for (const char* dtype : {"f16fp32", "bf16fp32", "f32", "tf32fp32"}) {
    const PrepareRequest request = Request(std::string("matmul_") + dtype + "_33x65x129");
    const auto operands = MakeOperands(request);
    ASSERT_NE(operands, nullptr);
    ASSERT_GE(operands->sets(), 3);
    FillParams p{};
    p.seed = request.seed;
    p.scale = InputScale(request.shape.dtype, 129);
    p.element = OperandElement(request.shape.dtype);
    p.count = 33 * 129;
    p.stream = 2;  // A of set 1
    EXPECT_EQ(Download(operands->a(1), operands->a_bytes()), HostFill(p)) << dtype;
    p.count = 129 * 65;
    p.stream = 5;  // B of set 2
    EXPECT_EQ(Download(operands->b(2), operands->b_bytes()), HostFill(p)) << dtype;
    EXPECT_NE(Download(operands->a(0), operands->a_bytes()),
              Download(operands->a(1), operands->a_bytes()));
  }
}

TEST_F(RunnerDevice, InputsHaveTheDeviationAskedFor) {
  const auto operands = MakeOperands(Request("matmul_f16fp32_1024x64x1024"));
  ASSERT_NE(operands, nullptr);
  const Bytes a = Download(operands->a(0), operands->a_bytes());
  double sum = 0;
  double squares = 0;
  const std::int64_t count = 1024 * 1024;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(LoadElement(a, i, Element::kF16));
    sum += value;
    squares += value * value;
  }
  const double s = InputDeviation(DType::kF16Fp32, 1024);
  EXPECT_NEAR(sum / static_cast<double>(count), 0, 0.01 * s);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(count)), s, 0.01 * s);
}

TEST_F(RunnerDevice, ReferenceEqualsTheHostsOnRaggedShapes) {
  auto kernels = DeviceKernels::Load(driver());
  ASSERT_TRUE(kernels) << kernels.error().message;
  for (const char* dims : {"1x1x1", "3x5x7", "65x63x17", "130x70x333", "64x128x16", "700x1x40"}) {
    for (const char* dtype : {"f16fp32", "bf16fp32", "f32"}) {
      for (const char* op : {"matmul_", "matmul_nt_"}) {
        const PrepareRequest request = Request(std::string(op) + dtype + "_" + dims);
        const auto operands = MakeOperands(request);
        ASSERT_NE(operands, nullptr);
        ReferenceParams p = Layout(request.shape);
        const std::size_t count = static_cast<std::size_t>(p.m * p.n);
        auto values = DeviceBuffer::Create(driver(), count * 8, "a test");
        auto products = DeviceBuffer::Create(driver(), count * 4, "a test");
        ASSERT_TRUE(values && products);
        p.a = operands->a(0);
        p.b = operands->b(0);
        p.reference = values->get();
        p.products = products->get();
        ASSERT_TRUE((*kernels)->Reference(p, stream()));
        const Bytes got = Download(values->get(), static_cast<std::int64_t>(count * 8));
        const Bytes got_products = Download(products->get(), static_cast<std::int64_t>(count * 4));
        const HostReference host = MultiplyOnHost(Download(operands->a(0), operands->a_bytes()),
                                                  Download(operands->b(0), operands->b_bytes()), p);
        for (std::size_t i = 0; i < count; ++i) {
          double value = 0;
          std::memcpy(&value, got.data() + i * 8, 8);
          ASSERT_NEAR(value, host.values[i], 1e-13 * host.products[i])
              << request.shape.text << " at " << i;
          ASSERT_NEAR(
              static_cast<double>(LoadElement(got_products, static_cast<std::int64_t>(i),
                                              Element::kF32)),
              host.products[i], 1e-5 * host.products[i]);
        }
      }
    }
  }
}

TEST_F(RunnerDevice, CheckAcceptsAnHonestResult) {
  for (const char* shape : {"matmul_f16fp32_130x70x96", "matmul_nt_bf16fp32_65x130x200",
                            "matmul_f32_64x64x64", "matmul_nt_tf32fp32_33x17x77"}) {
    const PrepareRequest request = Request(shape);
    const auto operands = MakeOperands(request);
    ASSERT_NE(operands, nullptr);
    PutHonestResult(request, *operands);
    const auto check = operands->CheckOutput(0, stream());
    ASSERT_TRUE(check) << check.error().message;
    EXPECT_TRUE(check->passed) << shape << ": " << operands->Explain(*check);
    EXPECT_EQ(operands->Explain(*check), "");
    EXPECT_GT(check->worst_ratio, 0);
    EXPECT_EQ(check->output_hash.size(), 32u);
  }
}

TEST_F(RunnerDevice, CheckFindsPlantedErrors) {
  const PrepareRequest request = Request("matmul_f16fp32_130x70x96");
  const auto operands = MakeOperands(request);
  ASSERT_NE(operands, nullptr);
  const Bytes honest = PutHonestResult(request, *operands);
  const auto clean = operands->CheckOutput(0, stream());
  ASSERT_TRUE(clean && clean->passed);

  Bytes wrong = honest;
  const std::int64_t place = 100 * 70 + 33;
  StoreElement(&wrong, place, Element::kF16, LoadElement(wrong, place, Element::kF16) + 0.01f);
  Upload(operands->c(0), wrong);
  auto check = operands->CheckOutput(0, stream());
  ASSERT_TRUE(check);
  EXPECT_FALSE(check->passed);
  EXPECT_EQ(check->over_bound, 1);
  EXPECT_EQ(check->worst_row, 100);
  EXPECT_EQ(check->worst_column, 33);
  EXPECT_NE(check->output_hash, clean->output_hash);
  EXPECT_THAT(operands->Explain(*check), HasSubstr("row 100, column 33"));

  ASSERT_TRUE(operands->PoisonOutput(0, stream()));
  ASSERT_EQ(driver().StreamSynchronize(stream()), CUDA_SUCCESS);
  Upload(operands->c(0), Bytes(honest.begin(), honest.end() - 2 * 64));  // a tail left out
  check = operands->CheckOutput(0, stream());
  ASSERT_TRUE(check);
  EXPECT_FALSE(check->passed);
  EXPECT_EQ(check->nan_count, 64);
  EXPECT_THAT(operands->Explain(*check), HasSubstr("64 of 9100 elements are NaN"));
}

TEST_F(RunnerDevice, CheckFindsWritesAroundTheOutput) {
  const PrepareRequest request = Request("matmul_f16fp32_3x5x7");  // 30 bytes: an odd end
  const auto operands = MakeOperands(request);
  ASSERT_NE(operands, nullptr);
  const Bytes honest = PutHonestResult(request, *operands);
  for (const std::int64_t offset : {std::int64_t{-2}, operands->c_bytes()}) {
    Upload(operands->c(0) + static_cast<CUdeviceptr>(offset), {0, 0});
    auto check = operands->CheckOutput(0, stream());
    ASSERT_TRUE(check);
    EXPECT_FALSE(check->passed);
    EXPECT_EQ(check->guard_bytes_changed, 2);
    check = operands->CheckOutput(0, stream());
    ASSERT_TRUE(check);
    EXPECT_TRUE(check->passed) << "a guard must be mended after it was reported";
  }
}

TEST_F(RunnerDevice, OneChangedByteOfAnInputIsSeen) {
  const auto operands = MakeOperands(Request("matmul_f16fp32_129x65x33"));
  ASSERT_NE(operands, nullptr);
  const auto changed = [&](int first, int count) {
    const auto found = operands->FirstChanged(first, count);
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : std::nullopt;
  };
  EXPECT_FALSE(changed(1, 1));
  Bytes byte = Download(operands->b(1) + 65 * 33 * 2 - 1, 1);
  byte[0] ^= 1;
  Upload(operands->b(1) + 65 * 33 * 2 - 1, byte);
  EXPECT_FALSE(changed(0, 1));
  const auto found = changed(0, operands->sets());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->set, 1);
  byte[0] ^= 1;
  Upload(operands->b(1) + 65 * 33 * 2 - 1, byte);
  EXPECT_FALSE(changed(0, operands->sets()));
}

}  // namespace
}  // namespace croq::runner
