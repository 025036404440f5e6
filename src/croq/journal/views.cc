#include "croq/journal/views.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "croq/base/clock.h"

namespace croq::journal {
namespace {

using Json = nlohmann::ordered_json;  // keys stay in the order they are written

std::string Line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json Known(double value) { return value > 0 ? Json(value) : Json(nullptr); }

}  // namespace

std::string EscapeField(std::string_view text) {
  std::string field;
  field.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '\\':
        field += "\\\\";
        break;
      case '\t':
        field += "\\t";
        break;
      case '\n':
        field += "\\n";
        break;
      case '\r':
        field += "\\r";
        break;
      default:
        field += c;
    }
  }
  return field;
}

Result<std::string> UnescapeField(std::string_view field) {
  std::string text;
  text.reserve(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\') {
      text += field[i];
      continue;
    }
    const char next = ++i < field.size() ? field[i] : '\0';
    if (next == '\\') {
      text += '\\';
    } else if (next == 't') {
      text += '\t';
    } else if (next == 'n') {
      text += '\n';
    } else if (next == 'r') {
      text += '\r';
    } else {
      return Failure(fmt::format("field '{}' has a backslash that is none of \\\\ \\t \\n \\r",
                                 field));
    }
  }
  return text;
}

std::string ResultsHeader() { return "iter\tkernel\ttflops\tdecision\tbottleneck\tidea_summary\n"; }

std::string PredictedHeader() {
  return "iter\tkernel\tpredicted_tflops\tdecision\tbottleneck\tidea_summary\n";
}

std::string ResultsLine(const Iteration& iteration) {
  return fmt::format("{}\t{}\t{:.2f}\t{}\t{}\t{}\n", IterationName(iteration.number),
                     EscapeField(iteration.Name()), iteration.tflops, NameOf(iteration.decision),
                     EscapeField(iteration.bottleneck), EscapeField(iteration.idea));
}

std::string IdeaLine(const Idea& idea) {
  Json json;
  json["iter"] = idea.iter;
  json["bottleneck"] = idea.bottleneck;
  json["evidence"] = idea.evidence;
  json["idea"] = idea.idea;
  json["expected"] = idea.expected;
  json["actual"] = idea.actual;
  json["decision"] = NameOf(idea.decision);
  // Lines of an older journal stay what they are.
  if (idea.round > 0) {
    json["round"] = idea.round;
    json["idea_id"] = idea.idea_id;
    json["base"] = idea.base;
    json["expected_gain"] = Known(idea.expected_gain);
    json["actual_gain"] = Known(idea.actual_gain);
    Json counters = Json::parse(idea.counters, nullptr, false);
    json["counters"] = counters.is_discarded() ? Json::array() : std::move(counters);
  }
  json["at"] = FormatUtc(idea.at_millis);
  return Line(json);
}

std::string AttemptLine(const Attempt& attempt) {
  Json json;
  json["attempt"] = AttemptName(attempt.number);
  json["kernel"] = attempt.Name();
  json["config"] = attempt.config;
  json["outcome"] = NameOf(attempt.outcome);
  json["reason"] = attempt.reason;
  json["log"] = attempt.log;
  json["tries"] = attempt.tries;
  json["at"] = FormatUtc(attempt.at_millis);
  return Line(json);
}

Views RenderViews(const std::vector<Iteration>& iterations, const std::vector<Idea>& ideas,
                  const std::vector<Attempt>& attempts) {
  Views views{ResultsHeader(), PredictedHeader(), "", ""};
  for (const Iteration& iteration : iterations) {
    (iteration.predicted ? views.predicted : views.results) += ResultsLine(iteration);
  }
  for (const Idea& idea : ideas) views.ideas += IdeaLine(idea);
  for (const Attempt& attempt : attempts) views.attempts += AttemptLine(attempt);
  return views;
}

}  // namespace croq::journal
