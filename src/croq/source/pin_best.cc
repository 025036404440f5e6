#include "croq/source/gaps.h"
#include "croq/source/pin_parts.h"

namespace croq::source {
namespace {

/// The value as an operand: a sign would bind to what stands before it.
std::string Operand(std::string_view value) {
  const bool sign = value.front() == '-' || value.front() == '+';
  return sign ? "(" + std::string(value) + ")" : std::string(value);
}

}  // namespace

std::optional<BestRead> ReadOfBest(const PinGroup& group, const Node& best_config) {
  const Node& attribute = *best_config.parent;
  if (FormattedAround(best_config) != nullptr || !attribute.Is(Kind::kAttribute) ||
      attribute.access != Access::kLoad)
    return std::nullopt;
  if (KindOfKey(attribute.text) == KeyKind::kOption) {
    for (const auto& [name, value] : AllValues(group.config)) {
      if (name == attribute.text) return BestRead{&attribute, Operand(value)};
    }
    return attribute.text == "maxnreg" ? std::optional(BestRead{&attribute, "None"}) : std::nullopt;
  }
  const Node& item = *attribute.parent;
  const Node* key = item.Is(Kind::kSubscript) && attribute.field == Field::kValue &&
                            item.access == Access::kLoad
                        ? item.Child(Field::kSlice)
                        : nullptr;
  if (attribute.text != "kwargs" || key == nullptr || !key->IsString()) return std::nullopt;
  for (const auto& [name, value] : group.config.constants) {
    if (name == key->text) return BestRead{&item, Operand(value)};
  }
  return std::nullopt;
}

}  // namespace croq::source
