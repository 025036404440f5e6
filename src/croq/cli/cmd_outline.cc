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
  bool json = false;
};

/// What is to be shown of one file.
struct Outlined {
  std::string text;
  json object;
  std::string problem;  ///< why there is nothing to show
};

std::string ProblemOf(const ParsedFile& file) {
  if (file.state == ParsedFile::State::kUnreadable)
    return file.message;
  return fmt::format("{}:{}:{}: {}", file.path, file.line, file.column + 1, file.message);
}

Outlined Describe(ParsedFile file, const OutlineArguments& arguments,
                  const source::OutlineOptions& options) {
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
  const source::Outline outline = source::MakeOutline(*file.tree, names, options);
  if (arguments.json) {
    outlined.object = OutlineJson({*file.tree, outline});
  } else {
    outlined.text = OutlineText({*file.tree, outline});
  }
  return outlined;
}

Result<int> Run(const OutlineArguments& arguments) {
  source::OutlineOptions options;
  CROQ_ASSIGN(options.shape, ParseNamedShape(arguments.shape));
  CROQ_ASSIGN(SourceFiles files, SourceFiles::Open(arguments.dsl, arguments.files.size()));
  const std::vector<std::filesystem::path> paths(arguments.files.begin(), arguments.files.end());
  std::vector<Outlined> all(paths.size());
  CROQ_TRY(files.ReadAll(paths, [&](std::size_t index, ParsedFile file) {
    all[index] = Describe(std::move(file), arguments, options);
  }));
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
  app->add_option("files", arguments->files, "Python files; nothing of them is run")
      ->type_name("FILE")
      ->required();
  app->add_option("--shape", arguments->shape,
                  "Values of kernel parameters, for warnings that depend on the size")
      ->type_name("NAME=N,...");
  AddDslOption(*app, arguments->dsl);
  AddJsonOption(*app, arguments->json, "everything as JSON, one object a file");
  app->footer(
      "Examples:\n"
      "  croq outline kernels/*.py\n"
      "  croq outline softmax.py --shape \"M=65536,N=65536\"\n"
      "  croq outline softmax.py --json | jq '.files[].kernels[].name'");
  return {app, [arguments] { return Run(*arguments); }};
}

}  // namespace croq::cli
