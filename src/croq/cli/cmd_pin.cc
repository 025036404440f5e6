#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/evaluated.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/cli/session_choice.h"
#include "croq/cli/source_file.h"
#include "croq/source/pin.h"

namespace croq::cli {
namespace {

using nlohmann::json;

struct PinArguments {
  std::string file;
  std::string kernel;
  std::string config;
  std::optional<std::int64_t> index;
  std::string best;
  std::string output;
  std::string out = ".";
  std::string dsl = "triton";
  bool json = false;
};

/// --kernel says whose the values are that name no kernel themselves.
Result<source::PinConfigs> ForKernel(source::PinConfigs configs, const std::string& kernel) {
  if (kernel.empty()) return configs;
  if (configs.size() != 1 || !configs.begin()->first.empty()) {
    return UsageFailure("the configuration names its kernels itself (kernel.BLOCK_M=128); leave "
                        "--kernel out, or the names");
  }
  return source::PinConfigs{{kernel, configs.begin()->second}};
}

/// The configuration of a session's best kernel; nothing where it has none yet.
Result<std::optional<source::PinConfigs>> BestOf(const PinArguments& arguments) {
  CROQ_ASSIGN(const journal::SessionEntry entry, ChooseSession(arguments.out, arguments.best));
  CROQ_ASSIGN(const journal::JournalReader reader, journal::JournalReader::Open(entry.paths));
  CROQ_ASSIGN(const std::optional<Iteration> best, reader.read().Best());
  const std::string name = journal::SessionName(entry.paths);
  if (!best) {
    fmt::print(stderr, "croq: {} has no verified kernel yet\n", name);
    return std::nullopt;
  }
  CROQ_ASSIGN(const Config config, ParseConfig(best->config));
  CROQ_ASSIGN(source::PinConfigs configs, source::PinConfigsOf(config));
  fmt::print(stderr, "croq: {} of {}: {}\n", best->Name(), name, best->config);
  return std::optional(std::move(configs));
}

Result<std::optional<source::PinRequest>> RequestOf(const PinArguments& arguments) {
  const int given = (arguments.config.empty() ? 0 : 1) + (arguments.index ? 1 : 0) +
                    (arguments.best.empty() ? 0 : 1);
  if (given != 1) {
    return UsageFailure("say which configuration, once: --config \"BLOCK_M=128,num_warps=8\", "
                        "--index I of the file's own list, or --best SESSION");
  }
  source::PinRequest request;
  if (arguments.index) {
    if (*arguments.index < 0) {
      return UsageFailure(fmt::format("--index {}: the configurations of a list are counted from 0",
                                      *arguments.index));
    }
    request.indexes[arguments.kernel] = static_cast<std::size_t>(*arguments.index);
    request.made = ImportWhenAsked(arguments.dsl, arguments.file);
    return std::optional(std::move(request));
  }
  source::PinConfigs configs;
  if (!arguments.config.empty()) {
    CROQ_ASSIGN(configs, source::ParsePinConfigs(arguments.config));
  } else {
    CROQ_ASSIGN(auto best, BestOf(arguments));
    if (!best) return std::nullopt;
    configs = std::move(*best);
  }
  CROQ_ASSIGN(request.configs, ForKernel(std::move(configs), arguments.kernel));
  return std::optional(std::move(request));
}

json ToJson(const PinArguments& arguments, const source::Pinned& pinned) {
  json edits = json::array();
  for (const source::EditNote& edit : pinned.edits)
    edits.push_back({{"line", edit.line}, {"column", edit.column}, {"what", edit.what}});
  json result{{"file", arguments.file}, {"edits", edits}, {"warnings", pinned.warnings}};
  if (arguments.output.empty()) result["source"] = pinned.source;
  else result["output"] = arguments.output;
  return result;
}

void ReportPin(const PinArguments& arguments, const source::Pinned& pinned) {
  for (const source::EditNote& edit : pinned.edits)
    fmt::print(stderr, "{}:{}:{}: {}\n", arguments.file, edit.line, edit.column, edit.what);
  for (const std::string& warning : pinned.warnings) fmt::print(stderr, "warning: {}\n", warning);
}

Status Write(const PinArguments& arguments, const source::Pinned& pinned) {
  if (arguments.output.empty()) {
    if (!arguments.json) std::fwrite(pinned.source.data(), 1, pinned.source.size(), stdout);
    return {};
  }
  std::error_code unknown;
  const auto mode = std::filesystem::status(arguments.file, unknown).permissions();
  const bool executable = !unknown && (mode & std::filesystem::perms::owner_exec) !=
                                          std::filesystem::perms::none;
  return WriteOutput(arguments.output, pinned.source, executable);
}

Result<int> Run(const PinArguments& given) {
  PinArguments arguments = given;
  if (arguments.output == "-") arguments.output.clear();
  CROQ_ASSIGN(const auto request, RequestOf(arguments));
  if (!request) return kExitNoKernel;
  CROQ_ASSIGN(SourceFiles files, SourceFiles::Open(arguments.dsl));
  CROQ_ASSIGN(const source::SyntaxTree tree, files.Read(arguments.file));
  const source::Names names(tree);
  CROQ_ASSIGN(const source::Pinned pinned, source::Pin(tree, names, *request));
  if (const auto parsed = files.Parse("the pinned file", pinned.source); !parsed) {
    return Failure(fmt::format("{}; nothing was written, and this is croq's own mistake",
                               parsed.error().message));
  }
  CROQ_TRY(Write(arguments, pinned));
  ReportPin(arguments, pinned);
  if (arguments.json) PrintJson(ToJson(arguments, pinned));
  return kExitDone;
}

}  // namespace

Command AddPinCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<PinArguments>();
  CLI::App* app =
      parent.add_subcommand("pin", "Bake one configuration into a file, in the autotuner's place");
  app->add_option("file", arguments->file, "A Python file with an autotuned kernel; it is read, "
                                           "and run for an --index into a list that it computes")
      ->type_name("FILE")
      ->required();
  app->add_option("--kernel", arguments->kernel,
                  "Which autotuned kernel: NAME, Class.NAME or NAME:LINE; may be left out where "
                  "there is one")
      ->type_name("NAME");
  app->add_option("--config", arguments->config,
                  "Its values: BLOCK_M=128,num_warps=8; kernel.BLOCK_M=128 where several kernels "
                  "are pinned at once")
      ->type_name("VALUES");
  app->add_option("--index", arguments->index,
                  "The configuration at this place of the file's own list, from 0; a list that the "
                  "file computes is read by importing it without GPU and network")
      ->type_name("I");
  app->add_option("--best", arguments->best, "The configuration of a session's best kernel: its "
                                             "name, or a part of it")
      ->type_name("SESSION");
  app->add_option("-o,--output", arguments->output, "File to write to (default: stdout)")
      ->type_name("FILE");
  AddOutOption(*app, arguments->out);
  AddDslOption(*app, arguments->dsl);
  AddJsonOption(*app, arguments->json, "the edits, the warnings, and the source without -o");
  app->footer("Examples:\n"
              "  croq pin softmax.py --config BLOCK=1024,num_warps=8 -o softmax_pinned.py\n"
              "  croq pin matmul.py --kernel matmul_kernel --index 3 > pinned.py");
  return {app, [arguments] { return Run(*arguments); }};
}

}  // namespace croq::cli
