#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/contract/classify_rule.h"
#include "croq/model/dtype.h"
#include "croq/model/search_space.h"

/// The rules of one DSL as data, read from contracts/<dsl>.toml (docs/contract.md). Where a struct
/// has `beyond_contract`, true marks what croq adds to the contract's own text.
namespace croq::contract {

struct Dsl {
  std::string name;   ///< `triton`: the --dsl argument and the folder below tuning/<gpu>/
  std::string title;  ///< `Triton`
  std::string description;
  std::string extension;  ///< of a candidate's source, with its dot: `.py`
  std::string compiler;   ///< `Triton JIT -> PTX via LLVM`
  std::string group;      ///< `python-jit`
};

/// A package of the interpreter that croq looks for, by import name.
struct Package {
  std::string name;
  bool required = false;
  std::string needed_for;
  std::string oldest;               ///< `3.4`: older ones are refused; empty: any will do
  std::vector<std::string> tested;  ///< version prefixes; others are said to be untested
  std::string remedy;               ///< command that installs it
};

/// Versions that don't work together: `package` from `from` on, with `with` up to `up_to` (a
/// prefix).
struct Conflict {
  std::string package;
  std::string from;
  std::string with;
  std::string up_to;
  std::string effect;
  std::string remedy;
};

/// A program that a package brings along.
struct Tool {
  std::string name;
  std::string package;            ///< import name; its folder holds the program
  std::string path;               ///< below that folder
  std::string override_variable;  ///< names another program where it is set; empty: none does
  std::string version_argument;   ///< makes it print its version
  std::string needed_for;
  std::string remedy;
};

struct Environment {
  std::string validate;            ///< the contract's validation command, for a shell
  std::string interpreter;         ///< the name its commands call: `python3`
  std::string oldest_interpreter;  ///< `3.10`
  std::vector<Package> packages;
  std::vector<Conflict> conflicts;
  std::vector<Tool> tools;

  const Package* FindPackage(std::string_view name) const;
};

/// Templates of the three scripts an iteration has, in the contract's words and placeholders
/// (<gpu>, <shape_key>, <model>, <NNN>, <tag>). scripts.h renders them.
struct Scripts {
  std::string build;
  std::string run;
  std::string profile;
  std::string profile_wrapper;    ///< beyond the contract: put before the commands of `profile`
  std::string profile_details;    ///< beyond the contract: put after them
  std::string preamble;           ///< beyond the contract: put before each script's first command
  std::string first_run_failure;  ///< name of the outcome of a JIT failure at first run: `compile`
  int retry_budget = 0;  ///< beyond the contract: builds of one script before it is an attempt
};

struct Profile {
  std::string tool;  ///< `ncu`
  std::string pin;   ///< what to do to a source before it is profiled
  // Beyond the contract:
  std::vector<std::string> options;   ///< of the command that profiles
  std::string baseline_kernel;        ///< --kernel-name of iter000, whose kernel is cuBLAS's
  std::vector<std::string> sections;  ///< of a recorded plan's profile
};

struct Tolerance {
  DType dtype = DType::kF16Fp32;
  double max_abs_err = 0;  ///< the error must be below it
  bool beyond_contract = false;
};

struct Verify {
  std::string function;   ///< `verify`
  std::string reference;  ///< precision of the reference: `torch.float32`
  std::string pass_line;  ///< `VERIFY: PASS`
  std::string fail_line;  ///< `VERIFY: FAIL max_abs_err=<v>`
  std::vector<Tolerance> tolerances;
};

struct Bench {
  std::string function;         ///< `bench`
  std::string required_output;  ///< `TFLOPS: <value> time_ms: <value>`
  std::string output_format;    ///< format string (Python's and fmt's) with tflops and elapsed_ms
  std::string formula;          ///< `2 * M * N * K / elapsed_ms / 1e9`
  std::string clock;            ///< what measures
  std::vector<std::string> forbidden_clocks;
  std::string code;    ///< the contract's timing loop
  int warmup = 0;      ///< launches before the timed ones
  int iterations = 0;  ///< timed launches
};

/// Names a candidate may use or must not, fully qualified; a trailing `*` stands for any rest. Where
/// several rules hold a name, the longest wins.
struct NameRule {
  std::string text;  ///< the contract's words
  std::vector<std::string> names;
  std::vector<std::string> zones;  ///< of a file: module, jit, hot, cold, launch; empty: all but launch
  std::string code;                ///< of the finding it gives (docs/purity.md); empty: none
  std::string why;             ///< may be empty
  bool baseline_only = false;  ///< allowed in iter000, forbidden from iter001 on
  bool beyond_contract = false;
};

struct Purity {
  std::string kernel_decorator;    ///< `triton.jit`
  std::string autotune_decorator;  ///< `triton.autotune`
  /// Roots of modules (`torch`) whose import runs nothing that a candidate could have written.
  std::vector<std::string> known_modules;
  std::vector<NameRule> allowed;
  std::vector<NameRule> forbidden;
  std::vector<NameRule> methods;  ///< of values, by their own name alone: `stride`
};

/// Compares one figure of a profile (contract/figures.h) with a bound; one of the two is given.
struct FigureTest {
  std::string figure;
  std::optional<double> at_least;
  std::optional<double> below;
  std::string why;  ///< what it means where the test holds; may be empty in `when`

  bool Holds(double value) const {
    return (!at_least || value >= *at_least) && (!below || value < *below);
  }
};

/// What a counter should do if an idea works.
struct FigureMove {
  std::string figure;
  std::string move;  ///< up, down
};

/// The time before over the time after that an idea may bring: with a figure in per cent of the
/// time, 1 / (1 - share * figure / 100), but at most `most`; `guess` where the figure is not known.
struct ExpectedGain {
  double guess = 1;
  double most = 1;
  std::string figure;  ///< empty: the guess stands
  double share = 0;    ///< of the figure that the idea may take away, 0 to 1
};

/// One entry of the idea menu.
struct Idea {
  std::string id;          ///< unique
  std::string bottleneck;  ///< memory_bound, compute_bound, latency_bound, launch_bound, mixed, l2
  std::vector<std::string> also;      ///< other verdicts that it answers
  std::string text;                   ///< the contract's words
  std::vector<std::string> levers;    ///< the levers it moves; empty: a change of structure
  std::string move;                   ///< up, down, any: where it moves them; structure
  std::vector<std::string> variants;  ///< structures that realise it, best first
  std::vector<std::string> with;      ///< levers that may move along, one place each way
  std::vector<std::string> operators;  ///< the only ones it is for; empty: any
  std::vector<std::string> dtypes;     ///< likewise
  int needs_compute_capability = 0;    ///< 0: none
  std::string unavailable;             ///< why croq offers it for nothing; empty: it does
  bool structural = false;             ///< it changes the code, not only its numbers
  std::vector<FigureTest> when;        ///< what speaks for it
  std::vector<FigureTest> pointless;   ///< where one holds, it is not worth a round
  std::vector<FigureMove> changes;     ///< what should change if it works, the main one first
  ExpectedGain gain;
  std::string source;  ///< of the rule; empty: the contract
  bool beyond_contract = false;

  /// Among `bottleneck` and `also`.
  bool Answers(std::string_view verdict) const;
};

/// Where a lever's value goes.
enum class LeverKind {
  kConstant,  ///< a tl.constexpr parameter of the kernel
  kOption,    ///< an option of the compiler or launch (num_warps)
  kProblem,   ///< fixed by the problem (its dtype), never searched
};

std::string_view NameOf(LeverKind kind);

/// A lever's value and whether the contract's text has it.
struct LeverChoice {
  LeverValue value;
  bool beyond_contract = false;
};

struct LeverRule {
  std::string name;
  LeverKind kind = LeverKind::kConstant;
  std::string text;  ///< the contract's words; empty where croq added the lever
  std::string meaning;
  std::vector<LeverChoice> choices;  ///< in order: neighbours differ by one place
  int needs_compute_capability = 0;  ///< values other than the first need it; 0: none do
  bool beyond_contract = false;      ///< the whole lever

  bool Allows(const LeverValue& value) const;
  /// As the search takes it.
  Lever AsLever() const;
};

struct Baseline {
  std::string kernel;  ///< `torch.matmul`
  std::string tag;     ///< of iter000
  std::string text;    ///< the contract's words
};

/// A place where the contract's text can't be taken to the letter, and what croq does instead.
struct Reading {
  std::string id;
  std::string section;   ///< of the contract
  std::string contract;  ///< its text
  std::string problem;
  std::string reading;
  std::string code;  ///< may be empty
};

struct Contract {
  std::filesystem::path file;
  Dsl dsl;
  Environment environment;
  Scripts scripts;
  Profile profile;
  ClassifyRule classify;
  Verify verify;
  Bench bench;
  Purity purity;
  std::vector<Idea> ideas;
  std::vector<LeverRule> levers;
  Baseline baseline;
  std::vector<Reading> readings;

  /// Nothing where the file has no tolerance for the dtype: it can't be tuned then.
  std::optional<double> ToleranceOf(DType dtype) const;
  const LeverRule* FindLever(std::string_view name) const;
  std::vector<const Idea*> IdeasFor(std::string_view bottleneck) const;
};

/// Reads and checks one file. Mistakes are usage errors, one line each: `file:line:column: what`.
Result<Contract> LoadContract(const std::filesystem::path& file);

/// Loads <folder>/<dsl>.toml. Usage error that lists the DSLs there are where it is none of them.
Result<Contract> FindContract(const std::filesystem::path& folder, std::string_view dsl);

/// Names of the DSLs that have a file in `folder`, sorted.
std::vector<std::string> ListContracts(const std::filesystem::path& folder);

}  // namespace croq::contract
