#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/contract_text.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/contract/contract_json.h"

namespace croq::cli {
namespace {

struct ShowArguments {
  std::string dsl = "triton";
  bool json = false;
};

Result<int> Show(const ShowArguments& arguments) {
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(const contract::Contract contract,
              contract::FindContract(layout.contracts, arguments.dsl));
  if (arguments.json) {
    PrintJson(contract);
  } else {
    fmt::print("{}", FormatContract(contract));
  }
  return kExitDone;
}

}  // namespace

Command AddContractCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<ShowArguments>();
  CLI::App* app =
      parent.add_subcommand("contract", "The rules of a DSL that candidates are held to");
  app->require_subcommand(1);
  CLI::App* show = app->add_subcommand("show", "Print a contract, every section of it");
  show->add_option("dsl", arguments->dsl, "Which one (default: triton)")->type_name("DSL");
  AddJsonOption(*show, arguments->json, "it as JSON");
  show->footer("Example:\n  croq contract show triton --json | jq .levers");
  return {app, [arguments] { return Show(*arguments); }};
}

}  // namespace croq::cli
