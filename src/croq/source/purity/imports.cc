#include "croq/source/purity/imports.h"

#include <fmt/format.h>

#include <algorithm>

namespace croq::source::purity {
namespace {

bool AnnotationsAreText(const Scene& scene) {
  return std::ranges::any_of(scene.tree.root().children, [](const Node* statement) {
    return statement->Is(Kind::kImportFrom) && statement->text == "__future__" &&
           std::ranges::any_of(statement->children,
                               [](const Node* alias) { return alias->text == "annotations"; });
  });
}

bool RunsCode(const Node& node) {
  switch (node.kind) {
    case Kind::kCall:
    case Kind::kNamedExpr:
    case Kind::kLambda:
    case Kind::kListComp:
    case Kind::kSetComp:
    case Kind::kDictComp:
    case Kind::kGeneratorExp:
    case Kind::kJoinedStr:
      return true;
    case Kind::kBinOp:
      return node.text != "BitOr";
    default:
      return false;
  }
}

}  // namespace

std::vector<Import> ImportsOf(const Node& statement) {
  std::vector<Import> found;
  if (statement.Is(Kind::kImport)) {
    for (const Node* alias : statement.children) found.push_back({std::string(alias->text), false});
    return found;
  }
  Import import{std::string(statement.level, '.') + std::string(statement.text), false};
  import.star = std::ranges::any_of(statement.children,
                                    [](const Node* alias) { return alias->text == "*"; });
  found.push_back(std::move(import));
  return found;
}

bool IsPlainConstant(const Scene& scene, const Node& value, int depth) {
  if (depth > 12 || !scene.Spend())
    return false;
  const auto all = [&](const Node& node) {
    return std::ranges::all_of(node.children, [&](const Node* child) {
      return IsPlainConstant(scene, *child, depth + 1);
    });
  };
  switch (value.kind) {
    case Kind::kConstant:
      return true;
    case Kind::kTuple:
    case Kind::kUnaryOp:
    case Kind::kBinOp:
    case Kind::kIfExp:
    case Kind::kBoolOp:
    case Kind::kCompare:
      return value.text != "MatMult" && all(value);
    case Kind::kName:
    case Kind::kAttribute:
      break;
    case Kind::kCall: {  // tl.constexpr(1), float("inf"), torch.device("cuda")
      const auto name = scene.names.Resolve(*value.Child(Field::kFunc));
      const bool plain = name && (*name == "triton.language.constexpr" ||
                                  *name == "triton.constexpr" || *name == "builtins.float" ||
                                  *name == "builtins.int" || *name == "torch.device");
      return plain && std::ranges::all_of(value.Children(Field::kArgs), [&](const Node* argument) {
               return IsPlainConstant(scene, *argument, depth + 1);
             });
    }
    default:
      return false;
  }
  return std::ranges::all_of(scene.MeaningsOf(value), [&](const Meaning& meaning) {
    switch (meaning.kind) {
      case Meaning::Kind::kExternal: {
        const Ruling ruling = scene.rules.Of(Zone::kHot, meaning.name);
        return ruling.verdict == Ruling::Verdict::kAllowed && ruling.code.empty();
      }
      case Meaning::Kind::kKernel:
        return true;
      case Meaning::Kind::kMember:  // an enumeration's or configuration's member
        return value.Is(Kind::kAttribute) &&
               !scene.KernelsOf(*value.Child(Field::kValue)).size();
      case Meaning::Kind::kValue:
        return meaning.binding != nullptr && meaning.binding->scope->Is(Kind::kModule) &&
               IsPlainConstant(scene, *meaning.node, depth + 1);
      default:
        return false;
    }
  });
}

void CheckAnnotation(Scene& scene, const Node& annotated, const Chain& chain) {
  if (AnnotationsAreText(scene))
    return;
  const Node* annotation = annotated.Is(Kind::kArg) ? annotated.Child(Field::kAnnotation)
                                                    : annotated.Child(Field::kReturns);
  if (annotation == nullptr)
    return;
  Walk(*annotation, [&](const Node& node) {
    if (!RunsCode(node))
      return true;
    scene.Add("E604", node, chain,
              fmt::format("the annotation '{}' runs when the function is defined",
                          Shown(scene.tree, node)));
    return false;
  });
}

}  // namespace croq::source::purity
