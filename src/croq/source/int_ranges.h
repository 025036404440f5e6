#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "croq/source/kernel_body.h"
#include "croq/source/outline.h"

/// Inside the module: how large the whole numbers of a kernel can become.
namespace croq::source {

/// The values an expression takes. Triton computes in 32 bits unless an operand has 64.
struct IntRange {
  double low = 0;
  double high = 0;
  bool wide = false;        ///< 64 bits
  bool is_program = false;  ///< tl.program_id on an axis whose grid is not known
  bool is_constant = false; ///< known when the kernel is compiled
};

class IntRanges {
 public:
  /// `start` gives the range of a parameter, `program` that of tl.program_id(axis); nothing where
  /// they are not numbers or not known. `largest`: the largest dimension there is.
  using Start = std::function<std::optional<IntRange>(std::string_view parameter)>;
  using Program = std::function<IntRange(int axis)>;
  IntRanges(const Names& names, Start start, Program program, double largest);

  /// Walks the kernel and calls visit(node, range) for each sum and product in 32 bits that leaves
  /// them.
  using Visit = std::function<void(const Node& node, const IntRange& range)>;
  void Run(const Node& definition, const Visit& visit);

 private:
  std::optional<IntRange> Of(const Node& node);
  std::optional<IntRange> OfOperator(const Node& node);
  std::optional<IntRange> OfCall(const Node& node);
  std::optional<IntRange> Join(const Node* one, const Node* other);
  void Assign(const Node& target, const std::optional<IntRange>& range);
  void Statement(const Node& node);

  const Names& names_;
  Start start_;
  Program program_;
  double largest_;
  const Visit* visit_ = nullptr;
  std::map<std::string, std::optional<IntRange>, std::less<>> variables_;
};

}  // namespace croq::source
