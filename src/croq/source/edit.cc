#include "croq/source/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace croq::source {

void EditList::Replace(std::size_t begin, std::size_t end, std::string text, std::string what) {
  edits_.push_back({begin, end, std::move(text), std::move(what)});
}

void EditList::Erase(std::size_t begin, std::size_t end, std::string what) {
  Replace(begin, end, {}, std::move(what));
}

void EditList::Insert(std::size_t at, std::string text, std::string what) {
  Replace(at, at, std::move(text), std::move(what));
}

bool EditList::Covers(std::size_t begin, std::size_t end) const {
  return std::any_of(edits_.begin(), edits_.end(), [&](const Edit& edit) {
    return edit.begin < edit.end && edit.begin <= begin && end <= edit.end;
  });
}

std::vector<EditList::Edit> EditList::Sorted() const {
  std::vector<Edit> sorted = edits_;
  // An insertion at a range's first byte comes before the range: it ends where the range begins.
  std::stable_sort(sorted.begin(), sorted.end(), [](const Edit& a, const Edit& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  return sorted;
}

Result<std::string> EditList::Apply(std::string_view bytes) const {
  std::string result;
  std::size_t done = 0;
  for (const Edit& edit : Sorted()) {
    if (edit.begin > edit.end || edit.end > bytes.size()) {
      return Failure(fmt::format("an edit of bytes {} to {} in a file of {}; nothing was written",
                                 edit.begin, edit.end, bytes.size()));
    }
    if (edit.begin < done) {
      return Failure(fmt::format("two edits overlap at byte {} ('{}'); nothing was written",
                                 edit.begin, edit.what));
    }
    result.append(bytes.substr(done, edit.begin - done));
    result.append(edit.text);
    done = edit.end;
  }
  result.append(bytes.substr(done));
  return result;
}

std::vector<EditNote> EditList::Notes(std::string_view bytes) const {
  std::vector<EditNote> notes;
  for (const Edit& edit : Sorted()) {
    if (edit.what.empty() || edit.begin > bytes.size()) continue;
    const std::string_view before = bytes.substr(0, edit.begin);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    notes.push_back({static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
                     static_cast<int>(edit.begin - line_start) + 1, edit.what});
  }
  return notes;
}

}  // namespace croq::source
