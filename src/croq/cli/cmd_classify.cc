#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "croq/base/files.h"
#include "croq/cli/app.h"
#include "croq/cli/classify_text.h"
#include "croq/cli/commands.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/contract/contract.h"
#include "croq/profile/report.h"

namespace croq::cli {
namespace fs = std::filesystem;
namespace {

struct ClassifyArguments {
  std::string file;
  std::string details;
  std::string kernel;
  std::string dsl = "triton";
  std::optional<double> wall_ms;
  std::optional<double> copy_gb_per_s;
  std::optional<double> matmul_tflops;
  bool json = false;
};

Result<std::string> ReadInput(const fs::path& file) {
  auto text = ReadFile(file);
  if (!text)
    return UsageFailure(text.error().message);
  return text;
}

/// The details page: the file that was named, else the one beside FILE that `croq profile` writes.
Result<std::optional<std::pair<std::string, std::string>>> ReadDetails(
    const ClassifyArguments& arguments) {
  fs::path file = arguments.details;
  if (file.empty()) {
    file = fs::path(arguments.file).replace_extension(".details.csv");
    std::error_code code;
    if (file == fs::path(arguments.file) || !fs::is_regular_file(file, code))
      return std::nullopt;
  }
  CROQ_ASSIGN(std::string text, ReadInput(file));
  return std::pair(file.string(), std::move(text));
}

Result<int> RunClassify(const ClassifyArguments& arguments) {
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(const contract::Contract contract,
              contract::FindContract(layout.contracts, arguments.dsl));
  CROQ_ASSIGN(const std::string text, ReadInput(arguments.file));
  CROQ_ASSIGN(const auto details, ReadDetails(arguments));
  profile::ReportRequest request;
  request.file = {arguments.file, text};
  if (!arguments.kernel.empty())
    request.kernel = arguments.kernel;
  request.wall_ms = arguments.wall_ms;
  request.ceilings = {arguments.copy_gb_per_s, arguments.matmul_tflops, std::nullopt};
  if (details)
    request.details = profile::NamedText{details->first, details->second};
  CROQ_ASSIGN(const profile::Report report, profile::MakeReport(contract.classify, request));
  if (arguments.json)
    PrintJson(report);
  else
    fmt::print("{}", FormatReport(report));
  return kExitDone;
}

}  // namespace

Command AddClassifyCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<ClassifyArguments>();
  CLI::App* app = parent.add_subcommand(
      "classify", "What bounds a profiled kernel, from a CSV export of Nsight Compute");
  app->add_option("FILE", arguments->file, "What `ncu --csv` printed, of any page")->required();
  app->add_option("--kernel", arguments->kernel,
                  "Which one: its printed name, its function's name, or regex:EXPRESSION")
      ->type_name("NAME");
  RequirePositive(
      *app->add_option(
              "--wall-ms", arguments->wall_ms,
              "Time of one call as a benchmark sees it, for kernels that wait for the host")
           ->type_name("X"));
  app->add_option("--details", arguments->details,
                  "Details page of the same report, for NVIDIA's own verdict (default: "
                  "FILE with .details.csv, where there is one)")
      ->type_name("FILE");
  RequirePositive(*app->add_option("--copy-gbps", arguments->copy_gb_per_s,
                                   "Measured device-to-device copy rate in GB/s, for the roofline")
                       ->type_name("X"));
  RequirePositive(*app->add_option("--matmul-tflops", arguments->matmul_tflops,
                                   "Measured matmul rate in TFLOPS, for the roofline")
                       ->type_name("X"));
  AddDslOption(*app, arguments->dsl);
  AddJsonOption(*app, arguments->json, "the verdict as JSON");
  app->footer(
      "Example:\n"
      "  ncu --import report.ncu-rep --csv --page raw --print-units base > report.csv\n"
      "  croq classify report.csv --kernel matmul_kernel");
  return {app, [arguments] { return RunClassify(*arguments); }};
}

}  // namespace croq::cli
