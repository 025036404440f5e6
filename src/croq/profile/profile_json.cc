#include <array>
#include <nlohmann/json.hpp>

#include "croq/profile/report.h"

namespace croq::profile {
namespace {

using nlohmann::json;

json OrNull(const std::optional<double>& value) {
  return value ? json(*value) : json();
}

json OrNull(const std::string& text) {
  return text.empty() ? json() : json(text);
}

json MetricsJson(const LaunchMetrics& metrics) {
  json out = json::object();
  for (const auto& [name, metric] : metrics.metrics) {
    json entry = {{"value", OrNull(metric.value)}, {"unit", metric.unit}};
    if (!metric.label.empty())
      entry["label"] = metric.label;
    if (metric.value)
      entry["id"] = metric.id;
    else
      entry["reason"] = metric.why;
    out[name] = entry;
  }
  return out;
}

json StallsJson(const Report& report) {
  json out = json::array();
  for (const Stall& stall : report.metrics.stalls) {
    out.push_back({{"reason", stall.reason}, {"share", stall.share}, {"id", stall.id}});
  }
  return out;
}

json RooflineJson(const Evidence& evidence) {
  if (!evidence.roofline)
    return {{"reason", evidence.no_roofline}};
  const Roofline& roof = *evidence.roofline;
  return {{"gb_per_s", roof.gb_per_s},
          {"copy_share", roof.copy_share},
          {"tflops", OrNull(roof.tflops)},
          {"matmul_share", OrNull(roof.matmul_share)},
          {"intensity", OrNull(roof.intensity)},
          {"ridge", OrNull(roof.ridge)},
          {"id", roof.ids}};
}

json NvidiaJson(const Report& report) {
  if (!report.nvidia)
    return {{"reason", report.no_nvidia}};
  const auto agrees = Agrees(*report.nvidia, report.verdict.bottleneck);
  return {{"rule", report.nvidia->rule},
          {"type", report.nvidia->type},
          {"verdict", OrNull(report.nvidia->verdict)},
          {"agrees", agrees ? json(*agrees) : json()},
          {"text", report.nvidia->text}};
}

json EvidenceJson(const Report& report) {
  const Evidence& evidence = report.evidence;
  const Verdict& verdict = report.verdict;
  json out = {{"launch",
               {{"id", report.launch_id},
                {"launches", report.launches},
                {"chosen", report.how_chosen},
                {"compute_capability", OrNull(report.compute_capability)}}},
              {"cause", OrNull(verdict.cause)},
              {"boundary", verdict.runner_up ? json(verdict.runner_up->because) : json()},
              {"stalls", StallsJson(report)},
              {"occupancy_limiters", evidence.limiters},
              {"tail", OrNull(evidence.tail)},
              {"spills", evidence.spills},
              {"bank_conflicts", evidence.conflicts},
              {"roofline", RooflineJson(evidence)},
              {"nvidia", NvidiaJson(report)},
              {"notes", report.notes}};
  const std::array<std::pair<const char*, const std::string*>, 4> reasons{
      {{"no_cause", &verdict.no_cause},
       {"no_level", &verdict.no_level},
       {"no_stalls", &report.metrics.no_stalls},
       {"no_limiter", &evidence.no_limiter}}};
  for (const auto& [key, text] : reasons) {
    if (!text->empty())
      out[key] = *text;
  }
  return out;
}

}  // namespace

void to_json(json& out, const Report& report) {
  const Verdict& verdict = report.verdict;
  const json raw = {
      {"kernel", report.kernel},
      {"bottleneck", NameOf(verdict.bottleneck)},
      {"level", verdict.level ? json(NameOf(*verdict.level)) : json()},
      {"confidence", NameOf(verdict.confidence)},
      {"runner_up", verdict.runner_up ? json(NameOf(verdict.runner_up->bottleneck)) : json()},
      {"metrics", MetricsJson(report.metrics)},
      {"evidence", EvidenceJson(report)}};
  // ncu writes kernel names and its own texts as they come; JSON is UTF-8 throughout.
  out = json::parse(raw.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace croq::profile
