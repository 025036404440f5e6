#pragma once

#include <string>

#include "croq/base/result.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// Options that several commands share, so that they are worded and checked once.
namespace croq::cli {

/// `--out DIR`: the folder that holds tuning/; by default the current one.
void AddOutOption(CLI::App& app, std::string& out);
/// `--session SESSION` of what a command shows, "the iteration is" or "they are" of it.
void AddSessionOption(CLI::App& app, std::string& session, const std::string& subject);
/// `--model NAME`: who proposes the candidates; what `model` holds is the default. Check it with
/// CheckModelName.
void AddModelOption(CLI::App& app, std::string& model);
/// `--device auto|cuda:N|offline:sm90`. Read it with ParseDevice (device_argument.h).
void AddDeviceOption(CLI::App& app, std::string& device);
/// `--dsl NAME`, triton by default.
void AddDslOption(CLI::App& app, std::string& dsl);
/// `--json`; `what` ends the help's sentence.
void AddJsonOption(CLI::App& app, bool& json, const std::string& what);

/// Takes only finite numbers above 0 and up to `most`, and says so in words.
void RequirePositive(CLI::Option& option, double most = 1e9);
/// Takes only whole numbers from 0 to a thousand million.
void RequireWhole(CLI::Option& option);

/// 1-64 of letters, digits, '.', '_' and '-', starting with a letter or digit: the name is a folder
/// of its own in every path.
Status CheckModelName(const std::string& name);

}  // namespace croq::cli
