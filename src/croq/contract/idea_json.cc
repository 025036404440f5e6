#include <nlohmann/json.hpp>

#include "croq/contract/contract_json.h"

namespace croq::contract {
namespace {

using nlohmann::json;

json TestsJson(const std::vector<FigureTest>& tests) {
  json out = json::array();
  for (const FigureTest& test : tests) {
    json one{{"figure", test.figure}};
    if (test.at_least)
      one["at_least"] = *test.at_least;
    if (test.below)
      one["below"] = *test.below;
    if (!test.why.empty())
      one["why"] = test.why;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

void to_json(json& out, const Idea& idea) {
  json changes = json::array();
  for (const FigureMove& change : idea.changes) {
    changes.push_back({{"figure", change.figure}, {"move", change.move}});
  }
  out = {{"id", idea.id},
         {"bottleneck", idea.bottleneck},
         {"also", idea.also},
         {"text", idea.text},
         {"levers", idea.levers},
         {"move", idea.move},
         {"variants", idea.variants},
         {"with", idea.with},
         {"operators", idea.operators},
         {"dtypes", idea.dtypes},
         {"needs_compute_capability", idea.needs_compute_capability},
         {"unavailable", idea.unavailable},
         {"structural", idea.structural},
         {"when", TestsJson(idea.when)},
         {"pointless", TestsJson(idea.pointless)},
         {"changes", changes},
         {"gain",
          {{"guess", idea.gain.guess},
           {"most", idea.gain.most},
           {"figure", idea.gain.figure},
           {"share", idea.gain.share}}},
         {"source", idea.source},
         {"beyond_contract", idea.beyond_contract}};
}

}  // namespace croq::contract
