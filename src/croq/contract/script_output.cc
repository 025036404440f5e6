#include "croq/contract/script_output.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <utility>
#include <vector>

namespace croq::contract {
namespace {

bool IsSpace(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (!IsSpace(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty())
    words.push_back(word);
  return words;
}

std::optional<double> ParseNumber(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size())
    return std::nullopt;
  return value;
}

/// The numbers that stand where `pattern` has <...>, where `line` is `pattern` word by word (a
/// placeholder may be the end of a word: `max_abs_err=<v>`); spaces count as one.
std::optional<std::vector<double>> Match(const std::string& pattern, std::string_view line) {
  const std::vector<std::string> wanted = Words(pattern);
  const std::vector<std::string> found = Words(line);
  if (found.size() != wanted.size())
    return std::nullopt;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::size_t open = wanted[i].find('<');
    if (open == std::string::npos) {
      if (found[i] != wanted[i])
        return std::nullopt;
      continue;
    }
    if (found[i].compare(0, open, wanted[i], 0, open) != 0)
      return std::nullopt;
    const std::optional<double> number = ParseNumber(found[i].substr(open));
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Calls `use` with each line until it says true, the last line first.
template <typename Use>
void ForLinesFromLast(std::string_view output, Use use) {
  while (!output.empty()) {
    const std::size_t newline = output.rfind('\n');
    const std::string_view line =
        newline == std::string_view::npos ? output : output.substr(newline + 1);
    if (use(line) || newline == std::string_view::npos)
      return;
    output = output.substr(0, newline);
  }
}

}  // namespace

Result<std::string> FormatTiming(const Bench& bench, const PrintedTiming& timing) {
  try {
    return fmt::format(fmt::runtime(bench.output_format), fmt::arg("tflops", timing.tflops),
                       fmt::arg("elapsed_ms", timing.time_ms));
  } catch (const fmt::format_error&) {  // its text differs between versions of fmt
    return UsageFailure("'output_format' is no format string for tflops and elapsed_ms");
  }
}

std::optional<PrintedTiming> ParseTiming(const Bench& bench, std::string_view output) {
  std::optional<PrintedTiming> timing;
  ForLinesFromLast(output, [&](std::string_view line) {
    const auto numbers = Match(bench.required_output, line);
    if (numbers && numbers->size() == 2)
      timing = PrintedTiming{(*numbers)[0], (*numbers)[1]};
    return timing.has_value();
  });
  return timing;
}

std::optional<PrintedVerdict> ParseVerdict(const Verify& verify, std::string_view output) {
  std::optional<PrintedVerdict> verdict;
  ForLinesFromLast(output, [&](std::string_view line) {
    if (const auto numbers = Match(verify.fail_line, line)) {
      verdict = PrintedVerdict{false, numbers->empty() ? 0 : numbers->front()};
    } else if (Match(verify.pass_line, line)) {
      verdict = PrintedVerdict{true, 0};
    }
    return verdict.has_value();
  });
  return verdict;
}

}  // namespace croq::contract
