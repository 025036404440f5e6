#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "croq/model/config.h"

namespace croq::search {

/// What the cost model gets wrong on this problem and GPU, learnt from what the session measured:
/// log(measured / predicted) as a sum of one effect for each variant, each tile with its warps, and
/// each lever value within its variant, shrunk towards 0 (ridge regression on one-hot features,
/// solved by back-fitting: Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, 9.1).
/// An effect of n observations counts n / (n + kShrinkage) of its mean.
///
/// No library: with one-hot features the solver is the loop below, while Debian's (dlib, mlpack,
/// Eigen's QR) would take dense matrices of levers x observations and bring a dependency along.
class Residual {
 public:
  /// Measured and predicted times of one configuration, both above 0.
  void Add(const Config& config, double measured_ms, double predicted_ms);

  /// What to multiply a prediction by; 1 before anything was learnt.
  double Factor(const Config& config) const;

  std::size_t observations() const { return rows_.size(); }

 private:
  struct Row {
    std::vector<std::uint32_t> effects;  ///< places in effects_
    double log_ratio = 0;
  };
  struct Effect {
    double value = 0;
    double sum = 0;    ///< while it is fitted: of what is left to it
    double count = 0;  ///< and over how many
  };

  static constexpr double kShrinkage = 3;
  /// The fit is made anew when so much larger a session has something new to say.
  static constexpr double kRefitGrowth = 1.06;
  /// Older observations say no more than these: the fit stays cheap in a long session.
  static constexpr std::size_t kMostRows = 4000;

  /// Keys of the effects that a configuration has: its variant, its tile, each lever value. The
  /// n-th is of the same kind for all configurations of a variant.
  static std::vector<std::uint64_t> KeysOf(const Config& config);
  std::uint32_t EffectOf(std::uint64_t key);
  void Fit();
  void FitKind(std::size_t kind, std::vector<double>& left);

  std::unordered_map<std::uint64_t, std::uint32_t> places_;
  std::vector<Effect> effects_;
  std::vector<Row> rows_;
  std::size_t next_row_ = 0;    ///< the oldest, once there are kMostRows
  std::size_t added_ = 0;
  std::size_t next_fit_ = 8;
};

}  // namespace croq::search
