#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/options.h"
#include "croq/cli/outline_report.h"
#include "croq/cli/output.h"
#include "croq/cli/shape_argument.h"
#include "croq/cli/source_file.h"

namespace croq::cli {
namespace {

using backend::ParsedFile;
using nlohmann::json;

struct OutlineArguments {
  std::vector<std::string> files;
  std::string shape;
  std::string dsl = "triton";
  bool evaluate = false;
  bool json = false;
};

/// What is to be shown of one file.
struct Outlined {
  std::string text;
  json object;
  std::string problem;  ///< why there is nothing to show, or no configurations of the import
};

std::string ProblemOf(const ParsedFile& file) {
  if (file.state == ParsedFile::State::kUnreadable)
    return file.message;
  return fmt::format("{}:{}:{}: {}", file.path, file.line, file.column + 1, file.message);
}

/// `evaluator`: null where the file is not to be imported.
Result<Outlined> Describe(ParsedFile file, const OutlineArguments& arguments,
                          const source::OutlineOptions& options, FileEvaluator* evaluator) {
  Outlined outlined;
  if (file.state != ParsedFile::State::kParsed) {
    outlined.problem = ProblemOf(file);
    const bool placed = file.state == ParsedFile::State::kRefused;
    outlined.object = {{"file", file.path},
                       {"error", file.message},
                       {"line", placed ? json(file.line) : json()},
                       {"column", placed ? json(file.column + 1) : json()}};
    return outlined;
  }
  const source::Names names(*file.tree);
  source::Outline outline = source::MakeOutline(*file.tree, names, options);
  EvaluatedFile evaluated;
  if (evaluator != nullptr) {
    CROQ_ASSIGN(evaluated, evaluator->Evaluate(file.path, options.shape, outline));
    if (!evaluated.reply.ok)
      outlined.problem = fmt::format("{}: {}", file.path, evaluated.reply.message);
  }
  const OutlinedFile shown{*file.tree, outline, evaluator == nullptr ? nullptr : &evaluated};
  if (arguments.json) {
    outlined.object = OutlineJson(shown);
  } else {
    outlined.text = OutlineText(shown);
  }
  return outlined;
}

Result<int> Run(const OutlineArguments& arguments) {
  source::OutlineOptions options;
  CROQ_ASSIGN(options.shape, ParseNamedShape(arguments.shape));
  CROQ_ASSIGN(SourceFiles files, SourceFiles::Open(arguments.dsl, arguments.files.size()));
  const std::vector<std::filesystem::path> paths(arguments.files.begin(), arguments.files.end());
  std::optional<FileEvaluator> evaluator;
  if (arguments.evaluate) {
    CROQ_ASSIGN(evaluator, FileEvaluator::Open(arguments.dsl));
  }
  std::vector<Outlined> all(paths.size());
  Status described;
  CROQ_TRY(files.ReadAll(paths, [&](std::size_t index, ParsedFile file) {
    if (!described)
      return;
    auto one = Describe(std::move(file), arguments, options, evaluator ? &*evaluator : nullptr);
    if (one)
      all[index] = std::move(*one);
    else
      described = tl::unexpected(std::move(one).error());
  }));
  CROQ_TRY(described);
  int code = kExitDone;
  json list = json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].problem.empty()) {
      fmt::print(stderr, "croq: {}\n", all[i].problem);
      code = kExitUsage;
    }
    if (arguments.json) {
      list.push_back(std::move(all[i].object));
    } else {
      fmt::print("{}{}", i > 0 && !all[i].text.empty() ? "\n" : "", all[i].text);
    }
  }
  if (arguments.json)
    PrintJson(json{{"files", list}});
  return code;
}

}  // namespace

Command AddOutlineCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<OutlineArguments>();
  CLI::App* app = parent.add_subcommand(
      "outline", "Say what Triton files hold: kernels, configurations, launches, and pitfalls");
  app->add_option("files", arguments->files, "Python files; nothing of them is run without --evaluate")
      ->type_name("FILE")
      ->required();
  app->add_option("--shape", arguments->shape,
                  "Values of kernel parameters, for warnings that depend on the size")
      ->type_name("NAME=N,...");
  app->add_flag("--evaluate", arguments->evaluate,
                "Import the files too, in a process without GPU and network, for configurations "
                "that exist at run time only; with --shape their pruners are called");
  AddDslOption(*app, arguments->dsl);
  AddJsonOption(*app, arguments->json, "everything as JSON, one object a file");
  app->footer(
      "Examples:\n"
      "  croq outline kernels/*.py\n"
      "  croq outline softmax.py --shape \"M=65536,N=65536\"\n"
      "  croq outline mine.py --evaluate --shape \"M=4096,N=1024\"\n"
      "  croq outline softmax.py --json | jq '.files[].kernels[].name'");
  return {app, [arguments] { return Run(*arguments); }};
}

}  // namespace croq::cli
