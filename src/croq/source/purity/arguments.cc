#include <algorithm>

#include "croq/source/purity/scene.h"

/// Which parameters of the file's functions get what its calls pass.
namespace croq::source::purity {

using MeaningKind = Meaning::Kind;

void Scene::IndexArguments() {
  for (const Node* function : functions_) {
    const std::vector<std::pair<const Node*, const Node*>> defaults = DefaultsByParameter(*function);
    for (const auto& [parameter, value] : defaults) arguments_[parameter].push_back(value);
  }
  for (const Node* call : calls_) {
    for (const Meaning& meaning : MeaningsOf(*call->Child(Field::kFunc))) {
      if (meaning.Is(MeaningKind::kFunction)) {
        // F.apply(x) passes x behind the context.
        const bool applied = call->Child(Field::kFunc)->text == "apply" &&
                             EnclosingClass(*meaning.node) != nullptr &&
                             meaning.node->text != "apply";
        const bool bound = EnclosingClass(*meaning.node) != nullptr &&
                           !IsDecoratedWith(*meaning.node, "builtins.staticmethod");
        Pass(*call, *meaning.node, bound || applied ? 1 : 0);
      } else if (meaning.Is(MeaningKind::kClass)) {
        for (const Binding* binding : names.BindingsIn(*meaning.node)) {
          if (binding->name == "__init__" && IsFunctionNode(*binding->node))
            Pass(*call, *binding->node, 1);
        }
      } else if (meaning.Is(MeaningKind::kExternal)) {
        PassOn(*call);
      }
    }
  }
}

/// Arguments from `index` on to parameters in order, keywords by name; what is left to *args and
/// **kwargs.
void Scene::Pass(const Node& call, const Node& function, std::size_t index) {
  const std::vector<const Node*> parameters = ParametersOf(function);
  const auto many = [&](Field field) {
    const auto found = std::ranges::find(parameters, field, &Node::field);
    return found == parameters.end() ? nullptr : *found;
  };
  for (const Node* argument : call.Children(Field::kArgs)) {
    const bool named = index < parameters.size() && (parameters[index]->field == Field::kArgs ||
                                                     parameters[index]->field == Field::kPosOnlyArgs);
    const Node* parameter = named ? parameters[index] : many(Field::kVarArg);
    if (parameter != nullptr && !argument->Is(Kind::kStarred))
      arguments_[parameter].push_back(argument);
    ++index;
  }
  for (const Node* keyword : call.Children(Field::kKeywords)) {
    const auto found = std::ranges::find(parameters, keyword->text, &Node::text);
    const Node* parameter = found != parameters.end() ? *found : many(Field::kKwArg);
    if (parameter != nullptr && !keyword->text.empty())
      arguments_[parameter].push_back(keyword->Child(Field::kValue));
  }
}

/// map(f, [x, y]), functools.reduce(f, items): others call f with what they were given beside it.
void Scene::PassOn(const Node& call) {
  std::vector<const Node*> given;
  for (const Node* argument : call.Children(Field::kArgs)) {
    if (argument->Is(Kind::kList) || argument->Is(Kind::kTuple))
      given.insert(given.end(), argument->children.begin(), argument->children.end());
  }
  for (const Node* argument : call.Children(Field::kArgs)) {
    if (given.empty() || (!argument->Is(Kind::kName) && !argument->Is(Kind::kLambda)))
      continue;
    for (const Meaning& meaning : MeaningsOf(*argument)) {
      if (!meaning.Is(MeaningKind::kFunction))
        continue;
      for (const Node* parameter : ParametersOf(*meaning.node)) {
        for (const Node* value : given) {
          if (Spend())
            arguments_[parameter].push_back(value);
        }
      }
    }
  }
}

}  // namespace croq::source::purity
