#pragma once

#include <vector>

#include "croq/protocol/evaluate_messages.h"
#include "croq/source/made_lists.h"

namespace croq::backend {

/// What importing a file showed, as configurations that can be written into it.
Result<std::vector<source::MadeList>> ToMadeLists(const std::string& file,
                                                  const protocol::EvaluateReply& reply);

}  // namespace croq::backend
