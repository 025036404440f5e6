#pragma once

#include <nlohmann/json_fwd.hpp>

#include "croq/base/result.h"
#include "croq/model/problem.h"

namespace croq {

/// {"shape_key": "softmax_f16fp32_64x128", "operator": "softmax", "dtype": "f16fp32",
///  "dims": {"names": ["M", "N"], "values": [64, 128]}, "entry": "softmax", "reference": "...",
///  "tensors": [{"name": "x", "element": "fp16", "shape": [64, 128], "role": "input",
///               "distribution": "normal", "first": 0.0, "second": 1.0}, ...],
///  "arguments": [{"name": "x", "tensor": 0}, {"name": "eps", "value": 1e-06}, ...],
///  "flops": 0.0, "bytes": 0.0, "absolute_tolerance": 0.001}
/// Roles are input, output, inout; distributions normal, uniform, integer, constant, arange; a
/// literal None is null.
void to_json(nlohmann::json& json, const Problem& problem);

/// Fatal where the JSON is not of that form: only croq writes it.
Result<Problem> ProblemFromJson(const nlohmann::json& json);

}  // namespace croq
