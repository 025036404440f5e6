#pragma once

#include <string>

#include "croq/profile/report.h"

namespace croq::cli {

/// The verdict and what it rests on, for people: each figure with the id of its metric.
std::string FormatReport(const profile::Report& report);

}  // namespace croq::cli
