#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "croq/base/clock.h"
#include "croq/cli/app.h"
#include "croq/cli/brought_text.h"
#include "croq/cli/commands.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/cli/session_text.h"
#include "croq/journal/reader.h"
#include "croq/tune/events.h"

namespace croq::cli {
namespace {

using nlohmann::json;

struct SessionsArguments {
  std::string out = ".";
  bool json = false;
};

/// A ratio's bar where it is not the library.
std::string Whose(const SessionPaths& paths) {
  return OperatorOf(paths) == Operator::kBrought ? " of its first" : "";
}

std::string Table(const std::vector<journal::SessionEntry>& entries) {
  TextTable table(160);
  table.AddRow({"session", "device", "trials", "iterations", "best TFLOPS", "of cuBLAS (cold)",
                "last change"});
  for (const journal::SessionEntry& entry : entries) {
    if (!entry.summary) {
      table.AddRow({journal::SessionName(entry.paths), "-", "-", "-", "-", "-", entry.problem});
      continue;
    }
    const journal::SessionSummary& summary = *entry.summary;
    table.AddRow({journal::SessionName(entry.paths), summary.info.offline ? "offline" : "GPU",
                  std::to_string(summary.trials - summary.rejected),
                  std::to_string(summary.iterations),
                  summary.best ? fmt::format("{:.1f}{}", summary.best->tflops,
                                             summary.best->predicted ? " predicted" : "")
                               : "-",
                  summary.best ? FormatShare(*summary.best) + Whose(entry.paths) : "-",
                  FormatWhen(summary.last_millis)});
  }
  return table.Render();
}

json ToJson(const std::vector<journal::SessionEntry>& entries) {
  json list = json::array();
  for (const journal::SessionEntry& entry : entries) {
    json one{{"session", journal::SessionName(entry.paths)},
             {"logs", entry.paths.Logs().string()}};
    if (!entry.summary) {
      one["problem"] = entry.problem;
    } else {
      const journal::SessionSummary& summary = *entry.summary;
      one["predicted"] = summary.info.offline;
      one["trials"] = summary.trials - summary.rejected;
      one["iterations"] = summary.iterations;
      one["attempts"] = summary.attempts;
      one["last_change"] = FormatUtc(summary.last_millis);
      one["best"] = summary.best ? tune::ToJson(*summary.best, OperatorOf(entry.paths)) : json(nullptr);
    }
    list.push_back(std::move(one));
  }
  return {{"sessions", std::move(list)}};
}

Result<int> Sessions(const SessionsArguments& arguments) {
  CROQ_ASSIGN(const std::vector<journal::SessionEntry> entries,
              journal::ListSessions(arguments.out));
  if (arguments.json) {
    PrintJson(ToJson(entries));
  } else if (entries.empty()) {
    fmt::print("No sessions in {} yet. Make one: croq tune matmul_f16fp32_4096x4096x4096\n",
               arguments.out);
  } else {
    fmt::print("{}", Table(entries));
  }
  return kExitDone;
}

}  // namespace

Command AddSessionsCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<SessionsArguments>();
  CLI::App* app = parent.add_subcommand("sessions", "List the sessions in a folder");
  AddOutOption(*app, arguments->out);
  AddJsonOption(*app, arguments->json, "them as JSON");
  app->footer("A session is named <gpu>/<dsl>/<shape_key>/<model>; show and export take any part\n"
              "that only one session has.");
  return {app, [arguments] { return Sessions(*arguments); }};
}

}  // namespace croq::cli
