#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "croq/cli/app.h"
#include "croq/cli/commands.h"
#include "croq/cli/idea_history.h"
#include "croq/cli/ideas_text.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/options.h"
#include "croq/cli/output.h"
#include "croq/cli/session_choice.h"
#include "croq/cli/session_device.h"
#include "croq/operators/operator.h"
#include "croq/profile/floor.h"
#include "croq/search/idea_configs.h"
#include "croq/tune/idea_rounds.h"

namespace croq::cli {
namespace {

using nlohmann::json;

// More than an idea screens in one round.
constexpr std::size_t kMostSettings = 256;

struct IdeasArguments {
  std::string subject;
  std::string bottleneck;
  std::string session;
  std::string dsl = "triton";
  std::string out = ".";
  bool json = false;
};

Result<int> ShowMenu(const IdeasArguments& arguments) {
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(const contract::Contract contract,
              contract::FindContract(layout.contracts, arguments.dsl));
  if (arguments.json) {
    PrintJson({{"bottleneck", arguments.bottleneck},
               {"ideas", MenuJson(contract, arguments.bottleneck)}});
  } else {
    fmt::print("{}", FormatMenu(contract, arguments.bottleneck));
  }
  return kExitDone;
}

Result<Iteration> Subject(const IdeasArguments& arguments, const journal::Queries& read) {
  if (!arguments.subject.empty()) return ChooseIteration(read, arguments.subject);
  CROQ_ASSIGN(std::optional<Iteration> best, read.Best());
  if (best) return *std::move(best);
  return UsageFailure("the session has no verified kernel yet; --bottleneck shows the menu alone");
}

Result<profile::KernelProfile> ProfileOf(const journal::Queries& read, const Iteration& iteration,
                                         const profile::BaseFacts& facts) {
  CROQ_ASSIGN(const std::optional<std::string> text, read.ProfileText(iteration.config));
  if (text) return profile::KernelProfileFromJson(*text);
  return profile::StaticProfile(facts, iteration.predicted);
}

/// As the rounds do: an idea is offered only where it has a legal setting that was not tried.
Status DropTriedOut(const SearchSpace& space, const Config& base, const journal::Queries& read,
                    std::vector<profile::RankedIdea>& ranking) {
  CROQ_ASSIGN(const std::vector<journal::TriedConfig> tried, read.TriedConfigs());
  std::set<std::string> known;
  for (const journal::TriedConfig& one : tried) known.insert(one.config);
  for (profile::RankedIdea& one : ranking) {
    if (!one.applicable) continue;
    const auto settings =
        search::IdeaConfigs(space, base, tune::MoveOf(*one.idea), {}, {}, kMostSettings);
    const auto untried = std::ranges::find_if(
        settings, [&](const Config& config) { return !known.contains(config.Text()); });
    if (untried != settings.end()) continue;
    one.applicable = false;
    one.reason = settings.empty() ? "the space allows no setting of it from here"
                                  : "the settings of it that the space allows were all tried";
  }
  std::ranges::stable_partition(ranking, &profile::RankedIdea::applicable);
  return {};
}

Result<int> Rank(const IdeasArguments& arguments) {
  CROQ_ASSIGN(const journal::SessionEntry entry,
              ChooseSession(arguments.out, arguments.session));
  CROQ_ASSIGN(const journal::JournalReader reader, journal::JournalReader::Open(entry.paths));
  CROQ_ASSIGN(const Iteration iteration, Subject(arguments, reader.read()));
  if (iteration.number == 0)
    return UsageFailure("iter000 is the library's kernel: ideas are for croq's own");
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(const contract::Contract contract,
              contract::FindContract(layout.contracts, entry.paths.dsl));
  CROQ_ASSIGN(const ShapeKey shape, ParseShapeKey(entry.paths.shape_key));
  CROQ_ASSIGN(const DeviceFacts device, SessionDevice(reader.read()));
  CROQ_ASSIGN(const auto factory,
              operators::MakeFactory(shape, device, contract, layout.operators));
  CROQ_ASSIGN(const Config config, ParseConfig(iteration.config));
  const profile::BaseFacts facts{shape, device, config, iteration.build, iteration.KernelMillis(),
                                 profile::FloorMillis(device, shape, 0)};
  CROQ_ASSIGN(profile::KernelProfile profile, ProfileOf(reader.read(), iteration, facts));
  if (!arguments.bottleneck.empty()) profile.bottleneck = arguments.bottleneck;
  const std::string word(shape.OperatorWord());
  std::vector<profile::RankedIdea> ranking = profile::RankIdeas(
      contract, {word, shape.dtype, device.compute_capability, factory->Space(), config}, profile,
      OperatorHistory(arguments.out, word, ""));
  CROQ_TRY(DropTriedOut(factory->Space(), config, reader.read(), ranking));
  if (arguments.json) {
    PrintJson({{"session", journal::SessionName(entry.paths)},
               {"iteration", iteration.Name()},
               {"profile", profile::ToJson(profile)},
               {"ideas", RankingJson(ranking)}});
  } else {
    fmt::print("{} of {}\n{}\n\n{}", iteration.Name(), journal::SessionName(entry.paths),
               iteration.config, FormatRanking(ranking));
  }
  return kExitDone;
}

Result<int> Ideas(const IdeasArguments& arguments) {
  if (!arguments.subject.empty() && !LooksLikeIteration(arguments.subject)) {
    return UsageFailure(fmt::format("'{}' is no iteration (such as iter003); a session is named "
                                    "with --session", arguments.subject));
  }
  const bool kernel = !arguments.subject.empty() || !arguments.session.empty();
  return arguments.bottleneck.empty() || kernel ? Rank(arguments) : ShowMenu(arguments);
}

}  // namespace

Command AddIdeasCommand(CLI::App& parent) {
  const auto arguments = std::make_shared<IdeasArguments>();
  CLI::App* app = parent.add_subcommand("ideas", "Rank the idea menu for a kernel, or show it");
  app->add_option("iteration", arguments->subject,
                  "An iteration such as iter003 (default: the session's best)")
      ->type_name("ITER");
  app->add_option("--bottleneck", arguments->bottleneck,
                  "The menu for this verdict; with an iteration or a session: rank as if this "
                  "were its verdict")
      ->check(CLI::IsMember({"memory_bound", "compute_bound", "latency_bound", "launch_bound",
                             "mixed", "l2"}));
  AddSessionOption(*app, arguments->session, "the iteration is");
  AddDslOption(*app, arguments->dsl);
  AddOutOption(*app, arguments->out);
  AddJsonOption(*app, arguments->json, "them as JSON");
  app->footer("Examples:\n  croq ideas --bottleneck latency_bound\n  croq ideas iter004");
  return {app, [arguments] { return Ideas(*arguments); }};
}

}  // namespace croq::cli
