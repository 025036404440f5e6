#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace croq::profile {

/// How often each instruction stands in a kernel's code. Not how often it runs: the inner loop
/// counts as one pass.
struct SassMix {
  int total = 0;
  std::map<std::string, int> classes;  ///< by what they are for: tensor, shared, ...
  std::map<std::string, int> opcodes;  ///< without their modifiers: HGMMA, LDS, ...
};

/// Of what nvdisasm or cuobjdump -sass print; `NOP`s after the end are left out.
SassMix CountSass(std::string_view disassembly);

/// tensor, copy_engine, global, shared, local, barrier, float, special, integer, uniform, move,
/// branch, other.
std::string_view ClassOf(std::string_view opcode);

/// The classes in the order that tables show them.
const std::vector<std::string_view>& SassClasses();

nlohmann::json ToJson(const SassMix& mix);

}  // namespace croq::profile
