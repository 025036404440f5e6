#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"

/// Changes of a file's bytes, told apart from finding out what to change.
namespace croq::source {

/// One change as a person reads it: where it is in the file as it was, and what it does.
struct EditNote {
  int line = 1;    ///< from 1
  int column = 1;  ///< from 1, in bytes
  std::string what;

  friend bool operator==(const EditNote&, const EditNote&) = default;
};

/// Replacements of byte ranges of one file. All offsets are those of the file as it was, so edits
/// may be added in any order; every byte outside of them stays.
class EditList {
 public:
  /// Puts `text` in the place of bytes [begin, end). `what` empty: a part of another edit, which is
  /// not told on its own.
  void Replace(std::size_t begin, std::size_t end, std::string text, std::string what = {});
  void Erase(std::size_t begin, std::size_t end, std::string what = {});
  /// Several insertions at one place stand in the order in which they were added; at the edge of a
  /// replaced range they stand outside of it.
  void Insert(std::size_t at, std::string text, std::string what = {});

  bool empty() const { return edits_.empty(); }
  /// Whether [begin, end) lies within one range that goes out.
  bool Covers(std::size_t begin, std::size_t end) const;

  /// The edited bytes. Fatal error where two ranges overlap, an insertion lies inside a range, or a
  /// range is not of this file: croq's own mistake, so nothing is written.
  Result<std::string> Apply(std::string_view bytes) const;
  /// What there is to tell, by place.
  std::vector<EditNote> Notes(std::string_view bytes) const;

 private:
  struct Edit {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text;
    std::string what;
  };

  std::vector<Edit> Sorted() const;

  std::vector<Edit> edits_;
};

}  // namespace croq::source
