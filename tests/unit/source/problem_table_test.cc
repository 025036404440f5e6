#include "croq/source/problem_table.h"

#include <gtest/gtest.h>

#include "support/parsed.h"

namespace croq::source {
namespace {

/// A file with this table; the entry and the reference are on lines 1 and 2, the table on line 3.
std::string File(const std::string& table) {
  return "def norm(x, w, residual, eps, out=None, *, groups=1): pass\n"
         "def ref(x, w, residual): pass\n"
         "CROQ = " + table + "\n";
}

constexpr const char* kInputs =
    R"("inputs": {"x": {"shape": ["M", "N"], "dtype": "float16"},
                  "w": {"shape": ["N"], "dtype": "torch.float32", "distribution": ["uniform", 0, "1/N"]},
                  "eps": 1e-6, "groups": {"value": "N//32"}},
       "inout": {"residual": {"shape": ["M*N"], "dtype": "bfloat16"}},
       "outputs": {"y": {"shape": ["M", cdiv(N, 2)], "dtype": "float16"},
                   "out": {"shape": [3], "dtype": "int64"}},)";

std::string Good(const std::string& inputs = kInputs, const std::string& rest = "") {
  return File(R"({"entry": "norm", "operator": "norm", "dtype": "f16fp32", "dims": {"M": 64, "N": 128},
                  "reference": "ref", )" + inputs + R"("flops": "5*M*N", "bytes": 1000 )" + rest + "}");
}

contract::Contract TritonContract() {
  return contract::LoadContract(std::string(CROQ_SOURCE_DIR) + "/contracts/triton.toml").value();
}

Result<std::optional<ProblemTable>> Read(const std::string& file, const TableOptions& options = {}) {
  return ReadProblemTable(testing::Parsed(file, "k.py"), TritonContract(), options);
}

TEST(ProblemTable, IsReadWhole) {
  const ProblemTable table = Read(Good()).value().value();
  const Problem& problem = table.problem;
  EXPECT_EQ(problem.key.text, "norm_f16fp32_64x128");
  EXPECT_EQ(problem.entry, "norm");
  EXPECT_EQ(problem.reference, "ref");
  ASSERT_EQ(problem.tensors.size(), 5u);
  EXPECT_EQ(problem.tensors[0].shape, (std::vector<std::int64_t>{64, 128}));
  EXPECT_EQ(problem.tensors[1].element, "fp32");
  EXPECT_EQ(problem.tensors[1].distribution, Distribution::kUniform);
  EXPECT_DOUBLE_EQ(problem.tensors[1].second, 1.0 / 128);
  EXPECT_EQ(problem.tensors[2].role, TensorRole::kInOut);
  EXPECT_EQ(problem.tensors[2].shape, (std::vector<std::int64_t>{64 * 128}));
  EXPECT_EQ(problem.tensors[3].role, TensorRole::kOutput);
  EXPECT_EQ(problem.tensors[3].shape, (std::vector<std::int64_t>{64, 64}));
  // y is what the entry returns; out is passed.
  std::vector<std::string> passed;
  for (const EntryArgument& argument : problem.arguments) passed.push_back(argument.name);
  EXPECT_EQ(passed, (std::vector<std::string>{"x", "w", "eps", "groups", "residual", "out"}));
  EXPECT_EQ(std::get<double>(problem.arguments[2].value), 1e-6);
  EXPECT_EQ(std::get<std::int64_t>(problem.arguments[3].value), 4);
  EXPECT_EQ(std::get<std::size_t>(problem.arguments[5].value), 4u);
  EXPECT_EQ(problem.flops, 5 * 64 * 128);
  EXPECT_EQ(problem.key.CompulsoryBytes(), 1000);
  EXPECT_EQ(problem.absolute_tolerance, 1e-3);
  EXPECT_TRUE(table.levers.empty());
}

TEST(ProblemTable, DimsEntryToleranceAndLevers) {
  TableOptions options;
  options.dims = {{"N", 256}};
  const ProblemTable table =
      Read(Good(kInputs, R"(, "tolerance": 0.5, "levers": {"BLOCK": [64, 128, 64], "MODE": ["a"]})"),
           options).value().value();
  EXPECT_EQ(table.problem.key.text, "norm_f16fp32_64x256");
  EXPECT_EQ(table.problem.tensors[0].shape[1], 256);
  EXPECT_EQ(table.problem.absolute_tolerance, 0.5);
  ASSERT_EQ(table.levers.size(), 2u);
  EXPECT_EQ(table.levers[0].values.size(), 2u);
  EXPECT_EQ(table.levers[1].values[0], LeverValue(std::string("a")));
}

TEST(ProblemTable, ANameInInputsMayBeInPlace) {
  const ProblemTable table =
      Read(File(R"({"entry": "norm", "operator": "norm", "dtype": "f32", "dims": {"M": 2},
                    "reference": "ref", "inout": ["residual"],
                    "inputs": {"x": None, "w": "text", "eps": -1, "groups": True,
                               "residual": {"shape": ["M"], "dtype": "float32"}}})")).value().value();
  EXPECT_EQ(table.problem.tensors[0].role, TensorRole::kInOut);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.problem.arguments[0].value));
  EXPECT_EQ(std::get<std::string>(table.problem.arguments[1].value), "text");
  EXPECT_EQ(std::get<std::int64_t>(table.problem.arguments[2].value), -1);
  EXPECT_EQ(std::get<bool>(table.problem.arguments[3].value), true);
}

TEST(ProblemTable, AFileWithoutOneIsNoError) {
  EXPECT_EQ(Read("x = 1\ndef f():\n    CROQ = {}\n").value(), std::nullopt);
}

struct Mistake {
  std::string file;
  std::string says;
};

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

Mistake InGood(const std::string& from, const std::string& to, const std::string& says) {
  return {Replaced(Good(), from, to), says};
}

class TableMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(TableMistake, IsAUsageErrorWithItsPlace) {
  const auto table = Read(GetParam().file);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().kind, ErrorKind::kUsage);
  EXPECT_NE(table.error().message.find(GetParam().says), std::string::npos) << table.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    All, TableMistake,
    ::testing::Values(
        Mistake{File("make()"), "k.py:3:8: CROQ must be a literal dict"},
        Mistake{File("{**x}"), "** is not followed"},
        InGood(R"("reference")", R"("referense")", "has no key 'referense'; did you mean 'reference'?"),
        InGood(R"("operator": "norm",)", "", "CROQ has no \"operator\""),
        InGood(R"("operator": "norm")", R"("operator": "Norm")", "operator 'Norm'"),
        InGood(R"("operator": "norm")", R"("operator": "matmul")", "is croq's own"),
        InGood("f16fp32", "f16", "'f16' is no dtype of a shape key (there are f16fp32"),
        InGood(R"("M": 64)", R"("M": 64.5)", "dimension M must be a whole number"),
        InGood(R"("M": 64)", R"("M": 0)", "dimension M must be a whole number"),
        InGood(R"("entry": "norm")", R"("entry": "nrom")",
               "k.py:3:18: entry 'nrom' is no function of this file; did you mean 'norm'?"),
        InGood(R"("reference": "ref")", R"("reference": 3)", "reference must be a string literal"),
        InGood(R"("w": {)", R"("weight": {)", "norm has no parameter 'weight'"),
        InGood(R"("eps": 1e-6, )", "", "k.py:1:1: parameter eps of norm has no default"),
        InGood(R"(["M", "N"])", R"(["M", "P"])", "'P' is no dimension (there are M, N)"),
        InGood(R"(["M", "N"])", R"(["M", "N/3"])", "not a whole number"),
        InGood(R"(["M", "N"])", R"("M")", "the shape of x must be a literal list"),
        InGood(R"("dtype": "float16")", R"("dtype": "flaot16")", "did you mean 'float16'?"),
        InGood(R"("uniform", 0, "1/N")", R"("uniform", 0)", "written [\"uniform\", low, high]"),
        InGood(R"("uniform")", R"("gauss")", "'gauss' is no distribution"),
        InGood(R"("eps": 1e-6)", R"("eps": [1])", "input eps is neither a tensor"),
        InGood(R"("y": {)", R"("x": {)", "x stands in inputs as well"),
        InGood(R"("flops": "5*M*N")", R"("flops": "5*M*Q")", "flops: formula '5*M*Q', column 5"),
        InGood(R"("bytes": 1000)", R"("bytes": -1)", "it must be above 0"),
        InGood(R"(def ref(x, w, residual))", R"(def ref(x, weight))",
               "k.py:2:1: ref takes 'weight', which is none of CROQ's inputs"),
        Mistake{Good(kInputs, R"(, "levers": {"B": []})"), "lever B has no value"},
        Mistake{Good(kInputs, R"(, "levers": {"B": [1.5]})"), "a whole number or a string"},
        Mistake{Good(kInputs, R"(, "tolerance": 0)"), "tolerance must be above 0"},
        Mistake{Good(kInputs, R"(, "flops": 1)"), "CROQ has 'flops' twice"}));

TEST(ProblemTable, OptionsThatDoNotFitAreUsageErrors) {
  TableOptions options;
  options.dims = {{"P", 4}};
  EXPECT_EQ(Read(Good(), options).error().message,
            "--dims: k.py has no dimension 'P' (there are M, N)");
  options = {};
  options.entry = "other";
  EXPECT_NE(Read(Good(), options).error().message.find("--entry 'other' is no function"),
            std::string::npos);
}

}  // namespace
}  // namespace croq::source
