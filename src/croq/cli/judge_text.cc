#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "croq/cli/check_report.h"
#include "croq/cli/judge_run.h"
#include "croq/cli/output.h"
#include "croq/tune/events.h"

namespace croq::cli {
namespace {

using nlohmann::json;

json RatioOrNull(const tune::Ratio& ratio) {
  return ratio.known() ? tune::ToJson(ratio) : json(nullptr);
}

json ClaimsJson(const tune::ScriptClaims& claims) {
  json out{{"ran", claims.ran},
           {"verify", nullptr},
           {"tflops", nullptr},
           {"time_ms", nullptr},
           {"problem", nullptr}};
  if (!claims.problem.empty()) out["problem"] = claims.problem;
  if (!claims.verify.empty()) out["verify"] = claims.verify;
  if (claims.timing) {
    out["tflops"] = claims.timing->tflops;
    out["time_ms"] = claims.timing->time_ms;
  }
  return out;
}

std::string RatioText(const tune::Ratio& ratio) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", ratio.value, ratio.low, ratio.high);
}

void AddMeasured(TextTable& table, const tune::Verdict& verdict) {
  const Iteration& iteration = *verdict.iteration;
  table.AddRow({"decision", std::string(NameOf(iteration.decision))});
  table.AddRow({"rate", fmt::format("{:.1f} TFLOPS, {:.4f} ms ({})", iteration.tflops,
                                    iteration.time_ms,
                                    iteration.predicted ? "predicted, nothing was measured"
                                                        : "contract regime")});
  if (verdict.standing.of_baseline.known()) {
    table.AddRow({"cuBLAS", RatioText(verdict.standing.of_baseline) +
                                " of torch.matmul (99%, interleaved pairs, cold)"});
  }
  if (verdict.standing.of_heuristic.known()) {
    table.AddRow({"cublasLt", RatioText(verdict.standing.of_heuristic) + " of its best of 8"});
  }
  if (verdict.standing.of_best.known()) {
    table.AddRow({"best before", RatioText(verdict.standing.of_best) + " of " +
                                     verdict.best_before});
  }
}

std::string ClaimsText(const tune::ScriptClaims& claims) {
  if (!claims.ran) return "its script was not run";
  std::string text = claims.verify.empty() ? "no verdict" : "VERIFY: " + claims.verify;
  if (claims.timing) {
    text += fmt::format(", {:.1f} TFLOPS, {:.3f} ms", claims.timing->tflops, claims.timing->time_ms);
  }
  if (!claims.problem.empty()) text += "; " + claims.problem;
  return text;
}

}  // namespace

json VerdictJson(const TuneSetup& setup, const Judged& judged) {
  const tune::Verdict& verdict = judged.verdict;
  json findings = json::array();
  for (const source::Finding& finding : verdict.rule.findings) {
    findings.push_back(FindingJson(finding));
  }
  json out{{"shape_key", judged.paths.shape_key},
           {"model", judged.paths.model},
           {"device", setup.device.key},
           {"predicted", !setup.device.measured},
           {"numbers_checked", setup.device.measured},
           {"outcome", NameOf(verdict.outcome)},
           {"reason", verdict.reason},
           {"findings", std::move(findings)},
           {"decision", nullptr},
           {"iteration", nullptr},
           {"attempt", nullptr},
           {"tflops", nullptr},
           {"time_ms", nullptr},
           {"max_abs_err", nullptr},
           {"ratio_cublas", RatioOrNull(verdict.standing.of_baseline)},
           {"ratio_cublas_lt_best", RatioOrNull(verdict.standing.of_heuristic)},
           {"ratio_best", RatioOrNull(verdict.standing.of_best)},
           {"best_before", verdict.best_before.empty() ? json(nullptr) : json(verdict.best_before)},
           {"claims", ClaimsJson(verdict.claims)}};
  if (verdict.iteration) {
    const Iteration& iteration = *verdict.iteration;
    out["decision"] = NameOf(iteration.decision);
    out["iteration"] = iteration.Name();
    out["tflops"] = iteration.tflops;
    out["time_ms"] = iteration.time_ms;
    out["max_abs_err"] = iteration.verified && !iteration.predicted ? json(iteration.max_abs_err)
                                                                    : json(nullptr);
    out["path"] = judged.paths.Source(iteration.Name()).string();
  } else if (verdict.attempt) {
    out["attempt"] = verdict.attempt->Name();
    out["path"] = judged.paths.Source(verdict.attempt->Name()).string();
  }
  return out;
}

std::string FormatVerdict(const TuneSetup& setup, const Judged& judged) {
  const tune::Verdict& verdict = judged.verdict;
  TextTable table;
  table.AddRow({"outcome", std::string(NameOf(verdict.outcome))});
  if (!verdict.reason.empty()) table.AddRow({"reason", verdict.reason});
  for (const source::Finding& finding : verdict.rule.findings) {
    table.AddRow({finding.code, fmt::format("{}:{}: {}. {}", finding.line, finding.column + 1,
                                            finding.message, finding.mend)});
  }
  if (verdict.iteration && !setup.device.measured) {
    table.AddRow({"numbers", "not checked: there is no GPU; correct means that it builds and "
                             "keeps the rule"});
  }
  if (verdict.iteration) AddMeasured(table, verdict);
  table.AddRow({"its own claims", ClaimsText(verdict.claims) + " (they decide nothing)"});
  const std::string name = verdict.iteration ? verdict.iteration->Name()
                           : verdict.attempt ? verdict.attempt->Name() : "";
  table.AddRow({"stored as", judged.paths.Source(name).string()});
  table.AddRow({"device", setup.device.key});
  return table.Render();
}

}  // namespace croq::cli
