#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/shape_key.h"

/// A problem that a person's own file states: what its entry takes and gives, and what it is worth.
namespace croq {

/// How an input's elements are drawn, from the runner's counter-based generator.
enum class Distribution {
  kNormal,    ///< first: mean, second: standard deviation
  kUniform,   ///< [first, second)
  kInteger,   ///< whole numbers first to second, both included
  kConstant,  ///< first
  kArange,    ///< first + second * index of the element in memory
};

enum class TensorRole { kInput, kOutput, kInOut };

/// Bytes of one element of one of Triton's types; nothing for a name that is none of those that
/// TensorSpec::element lists.
std::optional<std::int64_t> ElementBytes(std::string_view element);
/// Triton's name of a torch dtype (`float16`, `torch.bfloat16`), or of itself (`fp16`); nothing for
/// others.
std::optional<std::string_view> ElementOf(std::string_view name);
/// The names of torch's that ElementOf knows.
std::vector<std::string> TorchElements();
bool IsFloatElement(std::string_view element);

struct TensorSpec {
  std::string name;
  std::string element;              ///< Triton's name: fp16, bf16, fp32, fp64, fp8e4nv, i8, i16,
                                    ///< i32, i64, u8, i1
  std::vector<std::int64_t> shape;  ///< row-major and contiguous
  TensorRole role = TensorRole::kInput;
  Distribution distribution = Distribution::kNormal;  ///< inputs and in-place tensors
  double first = 0;
  double second = 1;

  std::int64_t Elements() const;
  std::int64_t Bytes() const;
};

/// One argument of the entry, passed by its name: a tensor (an index into Problem::tensors) or a
/// literal.
struct EntryArgument {
  std::string name;
  std::variant<std::size_t, std::int64_t, double, bool, std::string, std::monostate> value;
};

struct Problem {
  ShapeKey key;
  std::string entry;                     ///< function of the file that launches
  std::string reference;                 ///< function of the file: torch, called with float32 inputs;
                                         ///< gives the outputs, then the in-place tensors' new values
  std::vector<TensorSpec> tensors;       ///< in the order of the table: inputs, in-place, outputs
  std::vector<EntryArgument> arguments;  ///< outputs that are no argument are what the entry returns
  double flops = 0;                      ///< of one call; 0: not given
  double bytes = 0;                      ///< that must cross device memory; 0: not given
  /// Allowed |error| of an output whose rms is 0.25, the scale at which the contract states its
  /// tolerances; of other outputs in proportion. 0: the contract's, by dtype.
  double absolute_tolerance = 0;

  const TensorSpec* Find(std::string_view name) const;
  /// Of all its tensors, each once.
  std::int64_t TensorBytes() const;
};

}  // namespace croq
