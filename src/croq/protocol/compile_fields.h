#pragma once

#include "croq/model/compile_job.h"
#include "croq/protocol/fields.h"

/// Describe functions of kernel parameters, shared by compile and capture messages.
namespace croq::protocol {

/// {"kind": "int", "value": 1}; the value of none is null.
template <typename V>
void Describe(V& visit, typename V::template Ref<ConstexprValue> constant) {
  visit("kind", constant.kind);
  switch (constant.kind) {
    case ConstexprValue::Kind::kInt:
      visit("value", constant.integer);
      break;
    case ConstexprValue::Kind::kBool:
      if constexpr (V::kReads) {
        bool truth = false;
        visit("value", truth);
        constant.integer = truth ? 1 : 0;
      } else {
        visit("value", constant.integer != 0);
      }
      break;
    case ConstexprValue::Kind::kFloat:
      visit("value", constant.real);
      break;
    case ConstexprValue::Kind::kString:
    case ConstexprValue::Kind::kDType:
      visit("value", constant.text);
      break;
    case ConstexprValue::Kind::kNone:
      if constexpr (!V::kReads)
        visit("value", std::optional<int>());
      break;
  }
}

/// A constant carries its value, any other parameter whether 16 divides it.
template <typename V>
void Describe(V& visit, typename V::template Ref<KernelParameter> parameter) {
  visit("name", parameter.name);
  visit("type", parameter.type);
  if (parameter.type == "constexpr") {
    visit("value", parameter.value);
  } else {
    visit("divisible", parameter.divisible_by_16);
  }
}

}  // namespace croq::protocol
