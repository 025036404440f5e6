#include "croq/backend/cubin_info.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace croq::backend {
namespace {

/// How an attribute's value is stored: {format u8, attribute u8, then two bytes that are the value
/// or, for sized ones, the length of what follows}.
constexpr std::uint8_t kFormatSized = 0x04;

constexpr std::uint8_t kFrameSize = 0x11;     // EIATTR_FRAME_SIZE: {symbol u32, bytes u32}
constexpr std::uint8_t kMinStackSize = 0x12;  // EIATTR_MIN_STACK_SIZE
constexpr std::uint8_t kRegCount = 0x2f;      // EIATTR_REGCOUNT

/// A copy of the T at `offset`, or nothing where the image ends before. Copied: offsets in a
/// damaged file need not be aligned.
template <typename T>
std::optional<T> At(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::optional<std::string_view> Slice(std::string_view bytes, std::uint64_t offset,
                                      std::uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size)
    return std::nullopt;
  return bytes.substr(offset, size);
}

std::string_view TextAt(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size())
    return {};
  const std::string_view rest = table.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

struct Section {
  std::string_view name;
  Elf64_Shdr header{};
  std::string_view bytes;
};

tl::unexpected<Error> Damaged(const char* what) {
  return Failure(fmt::format("the cubin can't be read: {}", what));
}

Result<std::vector<Section>> ReadSections(std::string_view cubin) {
  const auto header = At<Elf64_Ehdr>(cubin, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return Damaged("not ELF");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) {
    return Damaged("not a 64-bit little-endian ELF");
  }
  if (header->e_shentsize != sizeof(Elf64_Shdr))
    return Damaged("odd section headers");
  std::vector<Section> sections;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto entry = At<Elf64_Shdr>(cubin, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!entry)
      return Damaged("it ends inside the section headers");
    Section section;
    section.header = *entry;
    if (entry->sh_type != SHT_NOBITS) {
      const auto bytes = Slice(cubin, entry->sh_offset, entry->sh_size);
      if (!bytes)
        return Damaged("a section lies beyond its end");
      section.bytes = *bytes;
    }
    sections.push_back(section);
  }
  if (header->e_shstrndx >= sections.size())
    return Damaged("no section names");
  const std::string_view names = sections[header->e_shstrndx].bytes;
  for (Section& section : sections) section.name = TextAt(names, section.header.sh_name);
  return sections;
}

const Section* Find(const std::vector<Section>& sections, std::string_view name) {
  for (const Section& section : sections) {
    if (section.name == name)
      return &section;
  }
  return nullptr;
}

/// Index of the kernel in the symbol table.
std::optional<std::uint32_t> SymbolOf(const std::vector<Section>& sections,
                                      const std::string& kernel) {
  const Section* symbols = Find(sections, ".symtab");
  if (symbols == nullptr || symbols->header.sh_link >= sections.size())
    return std::nullopt;
  const std::string_view names = sections[symbols->header.sh_link].bytes;
  for (std::uint32_t i = 0;; ++i) {
    const auto symbol = At<Elf64_Sym>(symbols->bytes, std::uint64_t{i} * sizeof(Elf64_Sym));
    if (!symbol)
      return std::nullopt;
    if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && TextAt(names, symbol->st_name) == kernel) {
      return i;
    }
  }
}

struct Attributes {
  std::optional<int> registers;
  int frame_bytes = 0;
  int stack_bytes = 0;
};

Attributes ReadAttributes(std::string_view info, std::uint32_t symbol) {
  Attributes found;
  std::uint64_t at = 0;
  while (const auto head = At<std::uint32_t>(info, at)) {
    const auto format = static_cast<std::uint8_t>(*head & 0xff);
    const auto attribute = static_cast<std::uint8_t>((*head >> 8) & 0xff);
    at += 4;
    if (format != kFormatSized)
      continue;
    const std::uint64_t size = *head >> 16;
    const auto owner = At<std::uint32_t>(info, at);
    const auto value = At<std::uint32_t>(info, at + 4);
    at += size;
    if (size < 8 || !owner || !value || *owner != symbol)
      continue;
    if (attribute == kRegCount)
      found.registers = static_cast<int>(*value);
    if (attribute == kFrameSize)
      found.frame_bytes = static_cast<int>(*value);
    if (attribute == kMinStackSize)
      found.stack_bytes = static_cast<int>(*value);
  }
  return found;
}

}  // namespace

Result<CubinInfo> ReadCubinInfo(std::string_view cubin, const std::string& kernel) {
  CROQ_ASSIGN(const std::vector<Section> sections, ReadSections(cubin));
  const auto symbol = SymbolOf(sections, kernel);
  if (!symbol)
    return Failure(fmt::format("the cubin has no kernel named {}", kernel));
  Attributes found;
  if (const Section* info = Find(sections, ".nv.info")) {
    found = ReadAttributes(info->bytes, *symbol);
  }
  if (!found.registers) {
    return Failure(fmt::format("the cubin does not say how many registers {} takes", kernel));
  }
  return CubinInfo{*found.registers, found.frame_bytes, found.stack_bytes};
}

}  // namespace croq::backend
