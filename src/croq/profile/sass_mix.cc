#include "croq/profile/sass_mix.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

namespace croq::profile {
namespace {

constexpr std::string_view kOpen = "/*";
constexpr std::string_view kClose = "*/";

/// The opcode of a line such as `/*0a10*/  @!P0 HGMMA.64x256x16.F32 R24, ... ;`, without modifiers.
std::optional<std::string_view> OpcodeOf(std::string_view line) {
  const std::size_t open = line.find(kOpen);
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t close = line.find(kClose, open);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view address = line.substr(open + 2, close - open - 2);
  const bool hex = !address.empty() && address.size() <= 8 &&
                   std::ranges::all_of(address, [](unsigned char c) { return std::isxdigit(c); });
  if (!hex || line.find_first_not_of(" \t") != open) return std::nullopt;
  std::string_view rest = line.substr(close + 2);
  const auto skip = [&] {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t{"), rest.size()));
  };
  skip();
  if (rest.starts_with("@")) {
    rest.remove_prefix(std::min(rest.find_first_of(" \t"), rest.size()));
    skip();
  }
  const std::size_t end = rest.find_first_of(" .;\t");
  const std::string_view opcode = rest.substr(0, end);
  const bool word = !opcode.empty() && std::isupper(static_cast<unsigned char>(opcode.front()));
  return word ? std::optional(opcode) : std::nullopt;
}

struct Family {
  std::string_view prefix;
  std::string_view name;
};

// The longest prefix decides. Names: NVIDIA's CUDA Binary Utilities, instruction set reference.
constexpr Family kFamilies[] = {
    {"HGMMA", "tensor"}, {"QGMMA", "tensor"}, {"IGMMA", "tensor"}, {"BGMMA", "tensor"},
    {"HMMA", "tensor"}, {"IMMA", "tensor"}, {"QMMA", "tensor"}, {"DMMA", "tensor"},
    {"BMMA", "tensor"}, {"UTCHMMA", "tensor"}, {"UTCQMMA", "tensor"}, {"UTCIMMA", "tensor"},
    {"UTMALDG", "copy_engine"}, {"UTMASTG", "copy_engine"}, {"UTMAREDG", "copy_engine"},
    {"UTMAPF", "copy_engine"}, {"UTMACCTL", "copy_engine"}, {"UTMACMDFLUSH", "copy_engine"},
    {"UBLKCP", "copy_engine"}, {"UBLKPF", "copy_engine"}, {"UBLKRED", "copy_engine"},
    {"LDGSTS", "global"}, {"LDG", "global"}, {"STG", "global"}, {"RED", "global"},
    {"ATOMG", "global"}, {"ATOM", "global"}, {"LD", "global"}, {"ST", "global"},
    {"LDS", "shared"}, {"STS", "shared"}, {"LDSM", "shared"}, {"STSM", "shared"},
    {"ATOMS", "shared"}, {"STAS", "shared"}, {"LDL", "local"}, {"STL", "local"},
    {"BAR", "barrier"}, {"SYNCS", "barrier"}, {"DEPBAR", "barrier"}, {"LDGDEPBAR", "barrier"},
    {"WARPSYNC", "barrier"}, {"WARPGROUP", "barrier"},
    {"MEMBAR", "barrier"}, {"FENCE", "barrier"}, {"ERRBAR", "barrier"}, {"ARRIVES", "barrier"},
    {"UCGABAR", "barrier"}, {"CCTL", "barrier"}, {"UTMASYNC", "barrier"}, {"ELECT", "barrier"},
    {"FADD", "float"}, {"FMUL", "float"}, {"FFMA", "float"}, {"FMNMX", "float"},
    {"FSEL", "float"}, {"FSET", "float"}, {"HADD", "float"}, {"HMUL", "float"}, {"HFMA", "float"},
    {"HMNMX", "float"}, {"HSET", "float"}, {"DADD", "float"}, {"DMUL", "float"},
    {"DFMA", "float"}, {"F2F", "float"}, {"I2F", "float"}, {"F2I", "float"}, {"FCHK", "float"},
    {"MUFU", "special"}, {"MOV", "move"}, {"S2R", "move"}, {"S2UR", "move"}, {"CS2R", "move"},
    {"R2UR", "move"}, {"UMOV", "move"}, {"PRMT", "move"}, {"SHFL", "move"}, {"R2P", "move"},
    {"LDC", "move"}, {"BRA", "branch"}, {"EXIT", "branch"}, {"CALL", "branch"}, {"RET", "branch"},
    {"BSSY", "branch"}, {"BSYNC", "branch"}, {"BRX", "branch"}, {"REDUX", "integer"},
};

constexpr std::array<std::string_view, 12> kInteger{"IADD", "IMAD", "LOP",  "SHF",  "SHL",  "SHR",
                                                    "LEA",  "ISETP", "SEL", "IABS", "IMNMX", "VI"};
constexpr std::array<std::string_view, 6> kPredicates{"PLOP", "P2R", "ISET", "POPC", "FLO", "SGXT"};

}  // namespace

std::string_view ClassOf(std::string_view opcode) {
  const Family* best = nullptr;
  for (const Family& family : kFamilies) {
    if (!opcode.starts_with(family.prefix)) continue;
    if (best == nullptr || family.prefix.size() > best->prefix.size()) best = &family;
  }
  if (best != nullptr) return best->name;
  const auto starts = [&](std::string_view prefix) { return opcode.starts_with(prefix); };
  if (std::ranges::any_of(kInteger, starts) || std::ranges::any_of(kPredicates, starts))
    return "integer";
  return opcode.starts_with("U") ? "uniform" : "other";
}

const std::vector<std::string_view>& SassClasses() {
  static const std::vector<std::string_view> kClasses{
      "tensor", "copy_engine", "global",  "shared",  "local",  "barrier", "float",
      "special", "integer",    "uniform", "move",    "branch", "other"};
  return kClasses;
}

SassMix CountSass(std::string_view disassembly) {
  SassMix mix;
  while (!disassembly.empty()) {
    const std::size_t end = disassembly.find('\n');
    const auto opcode = OpcodeOf(disassembly.substr(0, end));
    if (opcode && *opcode != "NOP") {
      ++mix.total;
      ++mix.opcodes[std::string(*opcode)];
      ++mix.classes[std::string(ClassOf(*opcode))];
    }
    disassembly.remove_prefix(end == std::string_view::npos ? disassembly.size() : end + 1);
  }
  return mix;
}

nlohmann::json ToJson(const SassMix& mix) {
  return {{"instructions", mix.total}, {"classes", mix.classes}, {"opcodes", mix.opcodes}};
}

}  // namespace croq::profile
