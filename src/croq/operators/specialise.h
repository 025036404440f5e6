#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/model/compile_job.h"
#include "croq/model/dtype.h"
#include "croq/model/launch_plan.h"

namespace croq::operators {

/// A kernel parameter as Triton specialises it, with the argument of a launch. Parameters that
/// became constants have no argument.
struct BoundParameter {
  KernelParameter parameter;
  std::optional<Argument> argument;
};

/// Triton's rules (python/src/specialize.cc of 3.6) for the kinds of argument that templates use.

/// The start of a buffer: allocations are aligned to 256 bytes, so 16 divides the address.
/// `element` is Triton's name of what lies there.
BoundParameter BindPointer(std::string name, std::string_view element, int buffer);

/// An int without annotation: 1 becomes a constant; i32 where it fits, i64 otherwise.
BoundParameter BindInt(std::string name, std::int64_t value);

/// An int annotated `tl.int64`: always i64, never a constant.
BoundParameter BindInt64(std::string name, std::int64_t value);

/// A row-major matrix behind a host TensorDescriptor with blocks of `block_rows` x `block_columns`.
BoundParameter BindDescriptor(std::string name, std::string_view element, int buffer,
                              std::int64_t rows, std::int64_t columns, std::int64_t block_rows,
                              std::int64_t block_columns);

/// tl.constexpr parameters.
BoundParameter BindConstant(std::string name, std::int64_t value);
BoundParameter BindConstant(std::string name, bool value);
BoundParameter BindConstant(std::string name, std::string value);

}  // namespace croq::operators
