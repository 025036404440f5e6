#pragma once

#include <functional>

#include "croq/base/result.h"

namespace CLI {
class App;
}

namespace croq::cli {

/// One command of croq: the parser of its arguments, and what it does once they are read. `run`
/// gives the exit code; an error becomes a message on stderr and exit code 2 (usage) or 1 (fatal).
struct Command {
  CLI::App* app = nullptr;
  std::function<Result<int>()> run;
};

// Each adds its subcommand to croq's parser. Adding a command is one line here, one in app.cc's
// table, and its file.
Command AddCheckCommand(CLI::App& parent);
Command AddClassifyCommand(CLI::App& parent);
Command AddContractCommand(CLI::App& parent);
Command AddDiffCommand(CLI::App& parent);
Command AddDoctorCommand(CLI::App& parent);
Command AddExplainCommand(CLI::App& parent);
Command AddExportCommand(CLI::App& parent);
Command AddJudgeCommand(CLI::App& parent);
Command AddIdeasCommand(CLI::App& parent);
Command AddOutlineCommand(CLI::App& parent);
Command AddPinCommand(CLI::App& parent);
Command AddProfileCommand(CLI::App& parent);
Command AddRecordCommand(CLI::App& parent);
Command AddSessionsCommand(CLI::App& parent);
Command AddShowCommand(CLI::App& parent);
Command AddTuneCommand(CLI::App& parent);

}  // namespace croq::cli
