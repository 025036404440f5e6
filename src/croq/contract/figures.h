#pragma once

#include <span>
#include <string_view>

/// The figures of a profile that rules may compare: one vocabulary for the contract file, the
/// profiles and the logs. Which counter each comes from is the profile's business.
namespace croq::contract {

struct FigureInfo {
  std::string_view name;
  std::string_view unit;     ///< "%", "us", "bytes", "" for counts and ratios
  std::string_view meaning;
};

std::span<const FigureInfo> Figures();

/// Null where there is no such figure.
const FigureInfo* FindFigure(std::string_view name);

}  // namespace croq::contract
