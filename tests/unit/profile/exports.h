#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "croq/base/files.h"
#include "croq/contract/contract.h"
#include "croq/profile/report.h"

namespace croq::profile {

inline std::filesystem::path Golden() {
  return std::filesystem::path(CROQ_SOURCE_DIR) / "tests" / "golden" / "ncu";
}

inline std::string MustRead(const std::filesystem::path& path) {
  auto text = ReadFile(path);
  EXPECT_TRUE(text.has_value()) << text.error().message;
  return text.value_or("");
}

/// The rule of the contract that croq ships.
inline const contract::ClassifyRule& Rule() {
  static const contract::ClassifyRule kRule = [] {
    auto loaded = contract::LoadContract(std::filesystem::path(CROQ_SOURCE_DIR) / "contracts" /
                                         "triton.toml");
    EXPECT_TRUE(loaded.has_value()) << loaded.error().message;
    return loaded ? loaded->classify : contract::ClassifyRule();
  }();
  return kRule;
}

inline Result<Report> ReportOf(const std::string& text, std::string_view name,
                               std::optional<std::string_view> kernel = std::nullopt) {
  ReportRequest request;
  request.file = {name, text};
  request.kernel = kernel;
  return MakeReport(Rule(), request);
}

inline Result<Report> ReportOfFile(const std::string& name,
                                   std::optional<std::string_view> kernel = std::nullopt) {
  return ReportOf(MustRead(Golden() / name), name, kernel);
}

/// The error's message; empty and a failure where there is none.
template <typename T>
std::string MessageOf(const Result<T>& result) {
  EXPECT_FALSE(result.has_value());
  return result ? "" : result.error().message;
}

}  // namespace croq::profile
