#include "croq/cli/idea_history.h"

#include "croq/journal/reader.h"
#include "croq/tune/round_records.h"

namespace croq::cli {

std::vector<profile::IdeaRecord> OperatorHistory(const std::filesystem::path& out,
                                                 const std::string& operator_word,
                                                 const std::string& except) {
  std::vector<profile::IdeaRecord> records;
  const Result<std::vector<journal::SessionEntry>> entries = journal::ListSessions(out);
  if (!entries) return records;
  for (const journal::SessionEntry& entry : *entries) {
    // `<operator>_<dtype>_<dims>`; the operator's word may hold underscores itself.
    const bool same = entry.paths.shape_key.starts_with(operator_word + "_");
    if (!same || journal::SessionName(entry.paths) == except) continue;
    const Result<ShapeKey> shape = ParseShapeKey(entry.paths.shape_key);
    if (!shape || shape->OperatorWord() != operator_word) continue;
    const Result<journal::JournalReader> reader = journal::JournalReader::Open(entry.paths);
    if (!reader) continue;
    const auto rounds = tune::ReadRounds(reader->read());
    if (rounds) records = tune::AddRecords(std::move(records), *rounds);
  }
  return records;
}

}  // namespace croq::cli
