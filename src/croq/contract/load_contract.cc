#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "croq/base/files.h"
#include "croq/contract/contract.h"
#include "croq/contract/load_rules.h"
#include "croq/contract/script_output.h"
#include "croq/contract/scripts.h"
#include "croq/contract/table_reader.h"
#include "croq/contract/toml_tree.h"
#include "croq/model/iteration.h"
#include "croq/model/outcome.h"

namespace croq::contract {
namespace {

/// Of the file's layout; raised when a change would make an older croq misread a file.
constexpr std::int64_t kFormat = 1;

void ReadDsl(TableReader& file, const std::string& stem, Dsl& dsl) {
  TableReader table = file.Table("dsl");
  dsl.name = table.Text("name");
  dsl.title = table.Text("title");
  dsl.description = table.Text("description");
  dsl.extension = table.Text("extension");
  dsl.compiler = table.Text("compiler");
  dsl.group = table.Text("group");
  if (!dsl.name.empty() && dsl.name != stem) {
    table.Complain("name",
                   fmt::format("'name' is \"{}\", but the file is called {}.toml", dsl.name, stem));
  }
  if (!dsl.extension.empty() && (dsl.extension.size() < 2 || dsl.extension.front() != '.')) {
    table.Complain("extension", "'extension' must be a dot and letters, as in \".py\"");
  }
  table.Finish();
}

bool IsVersion(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos &&
         text.front() != '.' && text.back() != '.' && text.find("..") == std::string_view::npos;
}

void CheckVersion(TableReader& table, std::string_view key, const std::string& version) {
  if (!IsVersion(version)) {
    table.Complain(key,
                   fmt::format("'{}' must hold a version such as 3.4, not \"{}\"", key, version));
  }
}

Package ReadPackage(TableReader& table) {
  Package package;
  package.name = table.Text("name");
  package.required = table.FlagOr("required", false);
  package.needed_for = table.Text("needed_for");
  package.oldest = table.TextOr("oldest", "");
  package.tested = table.Texts("tested");
  package.remedy = table.Text("remedy");
  if (!package.oldest.empty())
    CheckVersion(table, "oldest", package.oldest);
  for (const std::string& version : package.tested) CheckVersion(table, "tested", version);
  table.Finish();
  return package;
}

void CheckPackageName(TableReader& table, std::string_view key, const std::string& name,
                      const Environment& environment) {
  if (name.empty() || environment.FindPackage(name) != nullptr)
    return;
  table.Complain(key, fmt::format("'{}' is no [[environment.package]]", name));
}

void ReadEnvironment(TableReader& file, Environment& environment) {
  TableReader table = file.Table("environment");
  environment.validate = table.Text("validate");
  environment.interpreter = table.Text("interpreter");
  environment.oldest_interpreter = table.Text("oldest_interpreter");
  CheckVersion(table, "oldest_interpreter", environment.oldest_interpreter);
  for (TableReader& package : table.Tables("package")) {
    environment.packages.push_back(ReadPackage(package));
  }
  for (TableReader& reader : table.TablesOrNone("conflict")) {
    Conflict conflict{reader.Text("package"), reader.Text("from"),   reader.Text("with"),
                      reader.Text("up_to"),   reader.Text("effect"), reader.Text("remedy")};
    CheckVersion(reader, "from", conflict.from);
    CheckVersion(reader, "up_to", conflict.up_to);
    CheckPackageName(reader, "package", conflict.package, environment);
    CheckPackageName(reader, "with", conflict.with, environment);
    reader.Finish();
    environment.conflicts.push_back(std::move(conflict));
  }
  for (TableReader& reader : table.TablesOrNone("tool")) {
    Tool tool{
        reader.Text("name"),           reader.Text("package"),          reader.Text("path"),
        reader.TextOr("override", ""), reader.Text("version_argument"), reader.Text("needed_for"),
        reader.Text("remedy")};
    CheckPackageName(reader, "package", tool.package, environment);
    reader.Finish();
    environment.tools.push_back(std::move(tool));
  }
  table.Finish();
}

std::string ReadTemplate(TableReader& table, std::string_view key = "template") {
  std::string text = table.Text(key);
  for (const std::string& unknown : UnknownPlaceholders(text)) {
    table.Complain(key, fmt::format("unknown placeholder {} (there are {})", unknown,
                                           fmt::join(KnownPlaceholders(), ", ")));
  }
  return text;
}

void ReadScripts(TableReader& file, Contract& contract) {
  Scripts& scripts = contract.scripts;
  TableReader build = file.Table("build");
  scripts.build = ReadTemplate(build);
  build.TextOr("text", "");
  scripts.first_run_failure = build.Text("first_run_failure");
  if (!scripts.first_run_failure.empty() && !ParseOutcome(scripts.first_run_failure)) {
    build.Complain("first_run_failure",
                   fmt::format("'{}' is no outcome; compile is one", scripts.first_run_failure));
  }
  scripts.retry_budget = static_cast<int>(build.Integer("retry_budget", 0, 100));
  build.Finish();

  TableReader run = file.Table("run");
  scripts.run = ReadTemplate(run);
  run.Finish();

  TableReader profile = file.Table("profile");
  scripts.profile = ReadTemplate(profile);
  contract.profile.tool = profile.Text("tool");
  contract.profile.pin = profile.Text("pin");
  contract.profile.options = profile.Texts("options");
  contract.profile.baseline_kernel = profile.Text("baseline_kernel");
  contract.profile.sections = profile.Texts("sections");
  scripts.profile_wrapper = ReadTemplate(profile, "wrapper");
  scripts.profile_details = ReadTemplate(profile, "details");
  profile.Finish();

  TableReader preamble = file.Table("preamble");
  scripts.preamble = ReadTemplate(preamble);
  preamble.FlagOr("beyond_contract", true);
  preamble.Finish();
}

void ReadVerify(TableReader& file, Verify& verify) {
  TableReader table = file.Table("verify");
  verify.function = table.Text("function");
  verify.reference = table.Text("reference");
  table.TextOr("text", "");
  verify.pass_line = table.Text("pass_line");
  verify.fail_line = table.Text("fail_line");
  std::vector<std::string> names;
  for (const DType dtype : kAllDTypes) names.emplace_back(FactsOf(dtype).name);
  std::set<DType> seen;
  for (TableReader& reader : table.Tables("tolerance")) {
    const std::string name = reader.OneOf("dtype", names);
    Tolerance tolerance;
    tolerance.max_abs_err = reader.Positive("max_abs_err");
    tolerance.beyond_contract = reader.FlagOr("beyond_contract", false);
    if (const auto dtype = ParseDType(name)) {
      tolerance.dtype = *dtype;
      if (!seen.insert(*dtype).second) {
        reader.Complain("dtype", fmt::format("dtype '{}' stands twice", name));
      }
    }
    reader.Finish();
    verify.tolerances.push_back(tolerance);
  }
  table.Finish();
}

void ReadBench(TableReader& file, Bench& bench) {
  TableReader table = file.Table("bench");
  bench.function = table.Text("function");
  bench.required_output = table.Text("required_output");
  bench.output_format = table.Text("output_format");
  bench.formula = table.Text("formula");
  bench.clock = table.Text("clock");
  bench.forbidden_clocks = table.Texts("forbidden_clocks");
  bench.code = table.Text("code");
  bench.warmup = static_cast<int>(table.Integer("warmup", 0, 1'000'000));
  bench.iterations = static_cast<int>(table.Integer("iterations", 1, 1'000'000));
  if (!bench.output_format.empty()) {
    const auto line = FormatTiming(bench, {1.5, 2.5});
    if (!line) {
      table.Complain("output_format", line.error().message);
    } else if (!bench.required_output.empty() && !ParseTiming(bench, *line)) {
      table.Complain("output_format",
                     fmt::format("what it prints, \"{}\", is not \"{}\", as 'required_output' says",
                                 *line, bench.required_output));
    }
  }
  table.Finish();
}

void ReadBaseline(TableReader& file, Baseline& baseline) {
  TableReader table = file.Table("baseline");
  baseline.kernel = table.Text("kernel");
  baseline.tag = table.Text("tag");
  baseline.text = table.Text("text");
  if (!baseline.tag.empty() && !IsValidTag(baseline.tag)) {
    table.Complain("tag", "'tag' must be 2-31 of a-z, 0-9, _, starting with a letter");
  }
  table.Finish();
}

}  // namespace

Result<Contract> LoadContract(const std::filesystem::path& path) {
  CROQ_ASSIGN(const std::string text, ReadFile(path));
  CROQ_ASSIGN(const TomlNode tree, ParseToml(path, text));
  Mistakes mistakes(path);
  TableReader file(tree, "", mistakes);
  Contract contract;
  contract.file = path;
  const std::int64_t format = file.Integer("format", 1);
  if (format > kFormat) {
    file.Complain("format", fmt::format("format {} is newer than this croq, which reads format {}",
                                        format, kFormat));
    return tl::unexpected(mistakes.AsStatus().error());
  }
  ReadDsl(file, path.stem().string(), contract.dsl);
  ReadEnvironment(file, contract.environment);
  ReadScripts(file, contract);
  ReadClassify(file, contract);
  ReadVerify(file, contract.verify);
  ReadBench(file, contract.bench);
  ReadBaseline(file, contract.baseline);
  ReadPurity(file, contract);
  ReadLevers(file, contract);
  ReadIdeas(file, contract);
  ReadReadings(file, contract);
  file.Finish();
  CROQ_TRY(mistakes.AsStatus());
  return contract;
}

}  // namespace croq::contract
