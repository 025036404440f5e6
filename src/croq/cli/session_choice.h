#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/journal/reader.h"
#include "croq/model/iteration.h"

namespace croq::cli {

/// The session that a person means by `text`: its name `<gpu>/<dsl>/<shape_key>/<model>` or a part
/// that only it has. Empty: the one that was written to last. Usage error that lists what there is
/// where none or several fit.
Result<journal::SessionEntry> ChooseSession(const std::filesystem::path& out,
                                            const std::string& text);

/// Whether `text` names an iteration: iter003 or iter003_<tag>.
bool LooksLikeIteration(const std::string& text);

/// The committed iteration of that name. Usage error that lists those there are.
Result<Iteration> ChooseIteration(const journal::Queries& read, const std::string& name);

}  // namespace croq::cli
