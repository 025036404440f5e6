#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "croq/base/check.h"

namespace croq::search {

/// Random choices that are the same on every machine for one seed (the standard library's
/// distributions are not).
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// 0 .. count-1, count > 0. The modulo's bias is below count / 2^64.
  std::size_t Index(std::size_t count) {
    CROQ_CHECK(count > 0);
    return static_cast<std::size_t>(engine_() % count);
  }

  /// [0, 1) in steps of 2^-53.
  double Unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace croq::search
