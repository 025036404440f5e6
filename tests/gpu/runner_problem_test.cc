#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "croq/base/files.h"
#include "croq_runner/problem_operands.h"
#include "gpu/gpu_fixture.h"
#include "support/drawn.h"
#include "support/matrix.h"

namespace croq::runner {
namespace {

using ::croq::testing::HostDraw;
using ::testing::HasSubstr;
using Bytes = std::vector<unsigned char>;

constexpr const char* kRealElements[] = {"fp16", "bf16", "fp32", "fp64", "fp8e4nv", "fp8e5"};
constexpr const char* kElements[] = {"fp16", "bf16", "fp32", "fp64", "fp8e4nv", "fp8e5",
                                     "i8",   "i16",  "i32",  "i64",  "u8",      "i1"};

/// ProblemOperands on the device, with outputs that the host puts there.
class RunnerProblemDevice : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped())
      return;
    std::string name = (std::filesystem::temp_directory_path() / "croq-gpu-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }

  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void Make(std::vector<TensorSpec> tensors) {
    request_.seed = 0xFEDCBA9876543210ull;
    request_.max_abs_tolerance = 1e-3;
    request_.problem.emplace();
    request_.problem->key = MakeBroughtKey("test", DType::kF16Fp32, {{"M", 1}}).value();
    request_.problem->tensors = std::move(tensors);
    request_.shape = request_.problem->key;
    auto made = ProblemOperands::Create(driver(), request_, facts());
    ASSERT_TRUE(made) << made.error().message;
    operands_ = std::move(*made);
    places_ = operands_->Places();
  }

  CUdeviceptr At(const std::string& name, int set = 0) const {
    for (const OperandPlace& place : places_.operands) {
      if (place.name == name)
        return place.sets[static_cast<std::size_t>(set)];
    }
    return 0;
  }

  void Put(const std::string& name, const void* data, std::size_t bytes) const {
    std::ofstream(folder_ / (name + ".bin"), std::ios::binary)
        .write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  }

  Bytes Read(const std::string& name) const {
    const std::string data = ReadFile(folder_ / (name + ".bin")).value();
    return {data.begin(), data.end()};
  }

  Check CheckSet0() {
    const auto check = operands_->CheckOutput(0, stream());
    EXPECT_TRUE(check) << check.error().message;
    return check.value_or(Check{});
  }

  std::filesystem::path folder_;
  PrepareRequest request_;
  std::unique_ptr<ProblemOperands> operands_;
  OperandPlaces places_;
};

TEST_F(RunnerProblemDevice, InputsAreWhatTheHostDrawsInEveryTypeToTheBit) {
  const std::pair<Distribution, std::pair<double, double>> draws[] = {
      {Distribution::kNormal, {-1, 2.5}},
      {Distribution::kUniform, {-3, 20}},
      {Distribution::kInteger, {-2, 100}},
      {Distribution::kConstant, {0.7, 0}},
      {Distribution::kArange, {-5, 0.25}}};
  std::vector<TensorSpec> tensors;
  for (const char* element : kElements) {
    for (const auto& [distribution, numbers] : draws) {
      tensors.push_back({std::string(element) + std::to_string(static_cast<int>(distribution)),
                         element, {3, 1117}, TensorRole::kInput, distribution, numbers.first,
                         numbers.second});
    }
  }
  Make(tensors);
  ASSERT_TRUE(operands_->WriteInputs({1, folder_.string()}));
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    DrawParams p{};
    p.count = 3 * 1117;
    p.seed = request_.seed;
    p.stream = static_cast<std::uint32_t>(tensors.size() + i);  // of set 1
    p.draw = static_cast<Draw>(tensors[i].distribution);
    p.first = tensors[i].first;
    p.second = tensors[i].second;
    p.element = *ElementNamed(tensors[i].element);
    EXPECT_EQ(Read(tensors[i].name), HostDraw(p)) << tensors[i].name;
  }
}

TEST_F(RunnerProblemDevice, ALargeNormalTensorHasItsMomentsAndSetsDiffer) {
  Make({{"x", "fp32", {2048, 4096}, TensorRole::kInput, Distribution::kNormal, 0.5, 2}});
  ASSERT_TRUE(operands_->WriteInputs({0, folder_.string()}));
  const Bytes data = Read("x");
  ASSERT_EQ(data.size(), std::size_t{2048} * 4096 * 4);
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < data.size(); i += 4) {
    float value = 0;
    std::memcpy(&value, data.data() + i, 4);
    sum += static_cast<double>(value);
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  const double count = 2048.0 * 4096;
  EXPECT_NEAR(sum / count, 0.5, 5 * 2 / std::sqrt(count));
  EXPECT_NEAR(std::sqrt(squares / count - 0.25), 2, 0.005);
  ASSERT_TRUE(operands_->WriteInputs({1, folder_.string()}));
  EXPECT_NE(Read("x"), data);
}

/// An output of every type, of 40 rows and 100 columns, whose elements are 0, 1, ... 7; the host
/// puts the reference and the output.
class RunnerProblemChecks : public RunnerProblemDevice {
 protected:
  void SetUp() override {
    RunnerProblemDevice::SetUp();
    if (IsSkipped())
      return;
    std::vector<TensorSpec> tensors{
        {"x", "fp16", {64}, TensorRole::kInput, Distribution::kNormal, 0, 1}};
    for (const char* element : kElements) {
      tensors.push_back({std::string("y_") + element, element, {40, 100}, TensorRole::kOutput,
                         Distribution::kArange, 0, 1});
    }
    Make(tensors);
    for (const char* element : kElements) {
      const std::string name = std::string("y_") + element;
      const Bytes honest = Output(element, -1);
      if (IsFloatElement(element)) {
        std::vector<float> wanted;
        for (int i = 0; i < 4000; ++i) wanted.push_back(static_cast<float>(i % 8));
        Put(name, wanted.data(), wanted.size() * 4);
      } else {
        Put(name, honest.data(), honest.size());
      }
      Upload(At(name), honest);
    }
    const auto set = operands_->SetReferences({0, folder_.string()});
    ASSERT_TRUE(set) << set.error().message;
  }

  /// The right output, off by one (or flipped) at element `wrong`.
  static Bytes Output(const char* element, int wrong) {
    DrawParams p{};
    p.element = *ElementNamed(element);
    p.draw = Draw::kConstant;
    Bytes bytes(4000 * static_cast<std::size_t>(SizeOf(p.element)));
    for (int i = 0; i < 4000; ++i) {
      double value = i % 8;
      if (i == wrong)
        value = p.element == Element::kBool ? (value == 0 ? 1 : 0) : value + 2;
      ::croq::testing::PutDrawn(p, static_cast<std::uint64_t>(i), value, &bytes);
    }
    return bytes;
  }
};

TEST_F(RunnerProblemChecks, RightOutputsPass) {
  const Check check = CheckSet0();
  EXPECT_TRUE(check.passed) << operands_->Explain(check);
  EXPECT_EQ(check.max_abs_err, 0);
  EXPECT_FALSE(operands_->Checkable(1));
  EXPECT_FALSE(operands_->CheckOutput(1, stream()));
}

TEST_F(RunnerProblemChecks, OneWrongElementOfAnyTensorIsFoundAndNamed) {
  for (const char* element : kElements) {
    const std::string name = std::string("y_") + element;
    Upload(At(name), Output(element, 3210));
    const Check check = CheckSet0();
    EXPECT_FALSE(check.passed) << name;
    EXPECT_EQ(check.over_bound, 1) << name;
    EXPECT_EQ(check.tensor, name);
    EXPECT_EQ(check.worst_row, 32);
    EXPECT_EQ(check.worst_column, 10);
    EXPECT_THAT(operands_->Explain(check), HasSubstr("in " + name + ", row 32, column 10"));
    Upload(At(name), Output(element, -1));
  }
  EXPECT_TRUE(CheckSet0().passed);
}

TEST_F(RunnerProblemChecks, WhatIsNotWrittenIsFound) {
  ASSERT_TRUE(operands_->PoisonOutput(0, stream()));
  const Check check = CheckSet0();
  EXPECT_FALSE(check.passed);
  EXPECT_EQ(check.nan_count, 4000 * 6);
  EXPECT_EQ(check.over_bound, 4000 * 12);
  EXPECT_THAT(operands_->Explain(check), HasSubstr("what is not written stays so"));
}

TEST_F(RunnerProblemChecks, ZerosFailInEveryRealType) {
  for (const char* element : kRealElements) {
    const std::string name = std::string("y_") + element;
    const Bytes honest = Output(element, -1);
    Upload(At(name), Bytes(honest.size(), 0));
    const Check check = CheckSet0();
    EXPECT_EQ(check.over_bound, 3500) << name;  // one in eight is zero
    Upload(At(name), honest);
  }
}

TEST_F(RunnerProblemChecks, AByteOutsideAnOutputIsFoundOnce) {
  for (const std::int64_t offset : {-1, 4000 * 2}) {
    Upload(At("y_i16") + static_cast<CUdeviceptr>(offset), Bytes{1});
    EXPECT_EQ(CheckSet0().guard_bytes_changed, 1);
    EXPECT_TRUE(CheckSet0().passed);
  }
}

TEST_F(RunnerProblemChecks, AChangedInputIsNamed) {
  Bytes byte = Download(At("x", 2) + 127, 1);
  byte[0] ^= 1;
  Upload(At("x", 2) + 127, byte);
  const auto changed = operands_->FirstChanged(0, operands_->sets());
  ASSERT_TRUE(changed && *changed);
  EXPECT_EQ((*changed)->name, "x");
  EXPECT_EQ((*changed)->set, 2);
}

TEST_F(RunnerProblemDevice, RestoreGivesInPlaceTensorsTheirFirstContents) {
  Make({{"r", "fp16", {1000, 100}, TensorRole::kInOut, Distribution::kNormal, 0, 1}});
  ASSERT_TRUE(operands_->HasInPlace());
  ASSERT_TRUE(operands_->Restore(0, stream()));
  ASSERT_TRUE(operands_->WriteInputs({0, folder_.string()}));
  EXPECT_EQ(Download(At("r"), 200000), Read("r"));
  Upload(At("r"), Bytes(200000, 7));
  ASSERT_TRUE(operands_->WriteInputs({0, folder_.string()}));
  EXPECT_NE(Download(At("r"), 200000), Read("r"));
  ASSERT_TRUE(operands_->Restore(0, stream()));
  ASSERT_TRUE(operands_->FlushCache(stream()));
  EXPECT_EQ(Download(At("r"), 200000), Read("r"));
  const auto changed = operands_->FirstChanged(0, operands_->sets());
  EXPECT_TRUE(changed && !*changed);
}

TEST_F(RunnerProblemDevice, EmptyAndScalarTensorsAreNoTrouble) {
  Make({{"x", "fp32", {0, 5}, TensorRole::kInput, Distribution::kNormal, 0, 1},
        {"s", "fp32", {}, TensorRole::kInput, Distribution::kConstant, 3, 0},
        {"y", "fp32", {}, TensorRole::kOutput, Distribution::kNormal, 0, 1},
        {"z", "i32", {0}, TensorRole::kOutput, Distribution::kNormal, 0, 1}});
  const float three = 3;
  Put("y", &three, 4);
  Put("z", nullptr, 0);
  ASSERT_TRUE(operands_->SetReferences({0, folder_.string()}));
  Upload(At("y"), Download(At("s"), 4));
  EXPECT_TRUE(CheckSet0().passed);
}

}  // namespace
}  // namespace croq::runner
