#pragma once

#include <nlohmann/json_fwd.hpp>

#include "croq/contract/contract.h"

namespace croq::contract {

/// An idea of the menu, fields named as in the file.
void to_json(nlohmann::json& json, const Idea& idea);

/// The whole contract, its sections named as in the file; docs/contract.md has the fields.
void to_json(nlohmann::json& json, const Contract& contract);

}  // namespace croq::contract
