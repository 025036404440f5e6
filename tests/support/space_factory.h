#pragma once

#include <string>
#include <utility>

#include "support/fake_factory.h"

namespace croq::testing {

/// A FakeFactory with a space of two variants, `tiled` and `persistent`, whose every configuration
/// has code of its own.
class SpaceFactory : public FakeFactory {
 public:
  SpaceFactory() {
    const std::vector<Lever> levers{{"BLOCK_K", {Number(32), Number(64), Number(128)}},
                                    {"num_stages", {Number(2), Number(3), Number(4), Number(5)}},
                                    {"num_warps", {Number(4), Number(8)}}};
    space_.variants = {{"tiled", levers}, {"persistent", levers}};
  }

  const SearchSpace& Space() const override { return space_; }

  Result<operators::Script> Render(const Config& config) const override {
    return operators::Script{TagOf(config), "# " + config.Text() + "\n"};
  }

  std::vector<CompileJob> Jobs(const Config& config,
                               const std::filesystem::path& source) const override {
    CompileJob job;
    job.source_path = source.string();
    job.kernel = TagOf(config);
    return {job};
  }

  static std::string TagOf(const Config& config) {
    return fmt::format("{}_{}_s{}_w{}", config.variant, config.Int("BLOCK_K"),
                       config.Int("num_stages"), config.Int("num_warps"));
  }

  static Config ConfigOf(std::string variant, std::int64_t block_k, std::int64_t stages,
                     std::int64_t warps) {
    return {std::move(variant),
            {{"BLOCK_K", block_k}, {"num_stages", stages}, {"num_warps", warps}}};
  }

 private:
  static LeverValue Number(std::int64_t value) { return value; }

  SearchSpace space_;
};

}  // namespace croq::testing
