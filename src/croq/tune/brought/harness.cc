#include "croq/tune/brought/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "croq/source/literal.h"

namespace croq::tune {
namespace {

using source::Field;
using source::Kind;
using source::Node;
using source::SyntaxTree;

constexpr std::string_view kErrorPlaceholder = "<v>";

/// `if __name__ == "__main__":` without an else, among the module's own statements.
std::vector<const Node*> Mains(const SyntaxTree& tree) {
  std::vector<const Node*> mains;
  for (const Node* statement : tree.root().children) {
    if (!statement->Is(Kind::kIf) || statement->Child(Field::kOrElse) != nullptr) continue;
    const Node* test = statement->Child(Field::kTest);
    if (!test->Is(Kind::kCompare)) continue;
    const Node* left = test->Child(Field::kLeft);
    if (left->Is(Kind::kName) && left->text == "__name__") mains.push_back(statement);
  }
  return mains;
}

std::string WithoutMains(const SyntaxTree& tree) {
  std::string bytes = tree.bytes();
  std::vector<const Node*> mains = Mains(tree);
  std::reverse(mains.begin(), mains.end());  // later ones first: earlier places stay
  for (const Node* main : mains) {
    const std::size_t begin = tree.Offset(main->span.line, main->span.column);
    const std::size_t end = tree.Offset(main->span.end_line, main->span.end_column);
    bytes.erase(begin, end - begin);
  }
  return bytes;
}

std::string TorchName(const TensorSpec& tensor) {
  for (const std::string& name : TorchElements()) {
    if (ElementOf(name) == tensor.element) return "torch." + name;
  }
  return "torch.float32";
}

std::string Tuple(const std::vector<std::int64_t>& values) {
  std::string text = "(";
  for (const std::int64_t value : values) text += fmt::format("{}, ", value);
  return text + ")";
}

/// A tensor as torch draws it; croq's own runner draws with its own generator.
std::string Drawn(const TensorSpec& tensor) {
  const std::string shape = Tuple(tensor.shape);
  const std::string dtype = TorchName(tensor);
  const char* from = "generator=generator, device=device";
  if (tensor.role == TensorRole::kOutput) {
    return fmt::format("torch.empty({}, device=device, dtype={})", shape, dtype);
  }
  switch (tensor.distribution) {
    case Distribution::kNormal:
      return fmt::format("torch.randn({}, {}).mul_({}).add_({}).to({})", shape, from, tensor.second,
                         tensor.first, dtype);
    case Distribution::kUniform:
      return fmt::format("torch.rand({}, {}).mul_({}).add_({}).to({})", shape, from,
                         tensor.second - tensor.first, tensor.first, dtype);
    case Distribution::kInteger:
      return fmt::format("torch.randint({:.0f}, {:.0f}, {}, {}).to({})", tensor.first,
                         tensor.second + 1, shape, from, dtype);
    case Distribution::kConstant:
      return fmt::format("torch.full({}, {}, device=device).to({})", shape, tensor.first, dtype);
    case Distribution::kArange:
      return fmt::format("torch.arange({}, device=device).mul({}).add({}).to({}).reshape({})",
                         tensor.Elements(), tensor.second, tensor.first, dtype, shape);
  }
  return "None";
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
  return out + "\"";
}

struct LiteralText {
  std::string operator()(std::size_t) const { return ""; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(const std::string& value) const { return Quoted(value); }
  std::string operator()(std::monostate) const { return "None"; }
};

std::string Inputs(const Problem& problem) {
  std::string lines;
  for (const EntryArgument& argument : problem.arguments) {
    const auto* tensor = std::get_if<std::size_t>(&argument.value);
    lines += fmt::format("        {}: {},\n", Quoted(argument.name),
                         tensor != nullptr ? Drawn(problem.tensors[*tensor])
                                           : std::visit(LiteralText{}, argument.value));
  }
  return lines;
}

bool IsPassed(const Problem& problem, const TensorSpec& tensor) {
  return std::any_of(problem.arguments.begin(), problem.arguments.end(),
                     [&](const EntryArgument& argument) { return argument.name == tensor.name; });
}

/// The outputs, then the in-place tensors, after a call of the entry.
std::string Results(const Problem& problem) {
  std::string list;
  std::size_t made = 0;
  for (const TensorRole role : {TensorRole::kOutput, TensorRole::kInOut}) {
    for (const TensorSpec& tensor : problem.tensors) {
      if (tensor.role != role) continue;
      const std::string one = IsPassed(problem, tensor)
                                  ? fmt::format("arguments[{}]", Quoted(tensor.name))
                                  : fmt::format("made[{}]", made++);
      list += (list.empty() ? "" : ", ") + one;
    }
  }
  return list;
}

/// The names of the arguments that a function is given: all, or those it has as parameters.
std::string Names(const SyntaxTree& tree, const Problem& problem, const std::string& function,
                  bool reference) {
  const Node* definition = source::FindFunction(tree, function);
  const source::FunctionSignature signature =
      definition == nullptr ? source::FunctionSignature{} : source::SignatureOf(*definition);
  std::string list = "(";
  for (const EntryArgument& argument : problem.arguments) {
    const auto* tensor = std::get_if<std::size_t>(&argument.value);
    const bool output =
        tensor != nullptr && problem.tensors[*tensor].role == TensorRole::kOutput;
    const bool known = signature.takes_any_name || signature.Find(argument.name) != nullptr;
    if (!reference || (known && !output)) list += Quoted(argument.name) + ", ";
  }
  return list + ")";
}

operators::TemplateValues Values(const SyntaxTree& tree, const Problem& problem,
                                 const contract::Contract& contract, HarnessSubject subject) {
  const bool reference = subject == HarnessSubject::kReference;
  const std::string& called = reference ? problem.reference : problem.entry;
  std::string fail_line = contract.verify.fail_line;
  const std::size_t error_at = fail_line.find(kErrorPlaceholder);
  if (error_at != std::string::npos) {
    fail_line.replace(error_at, kErrorPlaceholder.size(), "{max_abs_err}");
  }
  operators::TemplateValues values;
  if (reference) values.flags.insert("REFERENCE_CALL");
  values.texts = {
      {"SHAPE_KEY", problem.key.text},
      {"ENTRY", problem.entry},
      {"CALLED", called},
      {"CALLED_NAMES", Names(tree, problem, called, reference)},
      {"REFERENCE", problem.reference},
      {"REFERENCE_NAMES", Names(tree, problem, problem.reference, true)},
      {"INPUTS", Inputs(problem)},
      {"RESULTS", Results(problem)},
      {"TOLERANCE", fmt::format("{}", problem.absolute_tolerance)},
      {"PASS_LINE", contract.verify.pass_line},
      {"FAIL_LINE", std::move(fail_line)},
      {"WARMUP", std::to_string(contract.bench.warmup)},
      {"ITERATIONS", std::to_string(contract.bench.iterations)},
      {"FLOPS", fmt::format("{}", problem.flops)},
      {"BENCH_NOTE", problem.flops > 0 ? "" : "; CROQ states no flops, so TFLOPS is 0"},
      {"BENCH_FORMAT", contract.bench.output_format},
  };
  return values;
}

}  // namespace

bool HasHarness(const SyntaxTree& tree) {
  return source::FindFunction(tree, "verify") != nullptr &&
         source::FindFunction(tree, "bench") != nullptr && !Mains(tree).empty();
}

Result<std::string> WithHarness(const SyntaxTree& tree, const Problem& problem,
                                const contract::Contract& contract,
                                const operators::TemplateSet& templates, HarnessSubject subject) {
  CROQ_ASSIGN(std::string harness,
              templates.Render("harness", Values(tree, problem, contract, subject)));
  std::string whole = WithoutMains(tree);
  const bool carriage_returns = whole.find("\r\n") != std::string::npos;
  const auto last = whole.find_last_not_of(" \t\r\n");
  whole.resize(last == std::string::npos ? 0 : last + 1);
  whole += carriage_returns ? "\r\n" : "\n";
  for (const char c : harness) {
    if (carriage_returns && c == '\n') whole += '\r';
    whole += c;
  }
  return whole;
}

}  // namespace croq::tune
