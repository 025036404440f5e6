#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/doctor.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"

namespace croq::cli {
namespace {

struct DoctorArguments {
  std::string device = "auto";
  std::string dsl = "triton";
  std::string out = ".";
  bool json = false;
};

Result<int> Doctor(const DoctorArguments& arguments) {
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(const contract::Contract contract,
              contract::FindContract(layout.contracts, arguments.dsl));
  DoctorOptions options;
  options.layout = layout;
  options.contract = &contract;
  CROQ_ASSIGN(options.device, ParseDevice(arguments.device));
  options.out = arguments.out;
  CROQ_ASSIGN(const DoctorReport report, RunDoctor(options));
  if (arguments.json) {
    PrintJson(report);
  } else {
    fmt::print("{}", FormatReport(report));
  }
  return report.Works() ? kExitDone : kExitFatal;
}

}  // namespace

Command AddDoctorCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<DoctorArguments>();
  CLI::App* app = parent.add_subcommand("doctor", "Check that everything tuning needs is here");
  AddDeviceOption(*app, arguments->device);
  AddDslOption(*app, arguments->dsl);
  AddOutOption(*app, arguments->out);
  AddJsonOption(*app, arguments->json, "the report as JSON");
  app->footer(
      "Example:\n"
      "  croq doctor --device cuda:0\n"
      "\n"
      "Exits with 1 where tuning on the device can't work; each failed line says what to do.");
  return {app, [arguments] { return Doctor(*arguments); }};
}

}  // namespace croq::cli
