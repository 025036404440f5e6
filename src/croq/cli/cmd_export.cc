#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "croq/base/files.h"
#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/cli/session_choice.h"
#include "croq/cli/session_device.h"
#include "croq/cli/session_text.h"
#include "croq/contract/contract.h"
#include "croq/model/config_json.h"
#include "croq/model/device.h"
#include "croq/operators/matmul_config.h"
#include "croq/operators/operator.h"
#include "croq/tune/brought/brought_factory.h"

namespace croq::cli {
namespace {

using nlohmann::json;

struct ExportArguments {
  std::string session;
  std::string iteration;
  std::string format = "script";
  std::string output;
  std::string out = ".";
  bool best = false;
};

/// `triton.Config({...}, ...)`.
Result<std::string> TritonConfig(const journal::SessionEntry& entry, const journal::Queries& read,
                                 const Config& config) {
  CROQ_ASSIGN(const std::optional<std::string> file, read.FactText("file"));
  if (file) return tune::BroughtTritonConfig(config);
  CROQ_TRY(operators::ReadMatmulConfig(config));
  CROQ_ASSIGN(const ShapeKey shape, ParseShapeKey(entry.paths.shape_key));
  CROQ_ASSIGN(const DeviceFacts device, SessionDevice(read));
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(const contract::Contract contract,
              contract::FindContract(layout.contracts, entry.paths.dsl));
  CROQ_ASSIGN(const auto factory,
              operators::MakeFactory(shape, device, contract, layout.operators));
  return factory->TritonConfig(config);
}

Result<std::string> Render(const ExportArguments& arguments, const journal::SessionEntry& entry,
                           const journal::Queries& read, const Iteration& iteration) {
  const std::filesystem::path script = entry.paths.Source(iteration.Name());
  if (arguments.format == "script") return ReadFile(script);
  if (iteration.number == 0) {
    return UsageFailure("iter000 is the baseline and has no configuration: export it as a script");
  }
  CROQ_ASSIGN(const Config config, ParseConfig(iteration.config));
  CROQ_ASSIGN(const std::string line, TritonConfig(entry, read, config));
  if (arguments.format == "config") return line + "\n";
  json whole = IterationJson(entry.paths, iteration);
  whole["session"] = journal::SessionName(entry.paths);
  whole["shape_key"] = entry.paths.shape_key;
  whole["config"] = config;
  whole["triton_config"] = line;
  return whole.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<std::optional<Iteration>> Subject(const ExportArguments& arguments,
                                         const journal::Queries& read) {
  if (arguments.iteration.empty()) return read.Best();
  CROQ_ASSIGN(Iteration iteration, ChooseIteration(read, arguments.iteration));
  return std::optional<Iteration>(std::move(iteration));
}

Result<int> Export(const ExportArguments& arguments) {
  if (arguments.best == !arguments.iteration.empty()) {
    return UsageFailure("say which kernel: --best, or --iter iter003");
  }
  CROQ_ASSIGN(const journal::SessionEntry entry,
              ChooseSession(arguments.out, arguments.session));
  CROQ_ASSIGN(const journal::JournalReader reader, journal::JournalReader::Open(entry.paths));
  CROQ_ASSIGN(const std::optional<Iteration> iteration, Subject(arguments, reader.read()));
  if (!iteration) {
    fmt::print(stderr, "croq: {} has no verified kernel yet: go on with croq tune {}\n",
               journal::SessionName(entry.paths), entry.paths.shape_key);
    return kExitNoKernel;
  }
  CROQ_ASSIGN(const std::string text, Render(arguments, entry, reader.read(), *iteration));
  if (iteration->predicted) {
    fmt::print(stderr, "croq: {} is predicted to be the best; no GPU has timed it\n",
               iteration->Name());
  }
  if (arguments.output.empty() || arguments.output == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kExitDone;
  }
  CROQ_TRY(WriteOutput(arguments.output, text));
  return kExitDone;
}

}  // namespace

Command AddExportCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* app = parent.add_subcommand("export", "Print a kernel to use in your own code");
  app->add_option("session", arguments->session, "The session, or a part of its name")
      ->type_name("SESSION")
      ->required();
  app->add_flag("--best", arguments->best, "Its best kernel");
  app->add_option("--iter", arguments->iteration, "Another one, such as iter003")
      ->type_name("ITER");
  app->add_option("--format", arguments->format,
                  "script (the standalone file; the default), config (a triton.Config line for "
                  "your own autotune list) or json")
      ->check(CLI::IsMember({"script", "config", "json"}));
  app->add_option("-o,--output", arguments->output, "File to write to (default: stdout)")
      ->type_name("FILE");
  AddOutOption(*app, arguments->out);
  app->footer("Example:\n  croq export matmul_f16fp32_4096x4096x4096 --best -o matmul.py");
  return {app, [arguments] { return Export(*arguments); }};
}

}  // namespace croq::cli
