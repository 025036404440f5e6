#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

namespace croq {

/// A map that forgets: it holds at least the last `generation` values that were put in or found,
/// and at most twice as many, so that memory stays flat however long a session is.
template <typename Value>
class Recent {
 public:
  explicit Recent(std::size_t generation) : generation_(generation) {}

  /// Null where it is not known, or no more. Good until the next call.
  const Value* Find(const std::string& key) {
    if (const auto aged = old_.find(key); aged != old_.end()) {
      Value value = std::move(aged->second);
      old_.erase(aged);
      Put(key, std::move(value));
    }
    const auto found = young_.find(key);
    return found == young_.end() ? nullptr : &found->second;
  }

  void Put(const std::string& key, Value value) {
    if (young_.size() >= generation_) {
      old_ = std::move(young_);
      young_.clear();
    }
    young_.insert_or_assign(key, std::move(value));
  }

  void Erase(const std::string& key) {
    young_.erase(key);
    old_.erase(key);
  }

  std::size_t size() const { return young_.size() + old_.size(); }

 private:
  std::size_t generation_;
  std::unordered_map<std::string, Value> young_;  ///< becomes the old one when it is full
  std::unordered_map<std::string, Value> old_;
};

}  // namespace croq
