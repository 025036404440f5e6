#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/operators/operator.h"
#include "croq/search/strategy.h"
#include "croq/tune/builder.h"
#include "croq/tune/cubin_store.h"
#include "croq/tune/evaluator.h"

namespace croq::tune {

/// One proposed configuration whose build has ended, well or not.
struct Built {
  std::int64_t flight = 0;  ///< as Add returned it
  Candidate candidate;      ///< complete where outcome is kCorrect
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  std::string log;
};

/// Turns proposals into built candidates while others are measured: renders the script, sends its
/// kernels to the builder, and puts the launch plan together once all are back.
class Pipeline {
 public:
  /// Sources are written below `work`; everything outlives the pipeline.
  Pipeline(const operators::CandidateFactory& factory, Builder& builder,
           std::filesystem::path work)
      : factory_(factory), builder_(builder), work_(std::move(work)) {}

  /// Proposes and submits until `target` candidates are in flight or the strategy has no more.
  Status Fill(search::Strategy& strategy, int target);
  /// The next candidate whose build has ended, waiting up to `wait`.
  Result<std::optional<Built>> Next(std::chrono::milliseconds wait);
  /// Builds given configurations now and waits for them, in their order; what else finishes
  /// meanwhile is kept for Next.
  Result<std::vector<Built>> BuildNow(const std::vector<Config>& configs);
  /// Candidates being built or waiting to be taken.
  int InFlight() const {
    return static_cast<int>(begun_.size() + flights_.size() + ready_.size());
  }
  /// The strategy had nothing more to propose at the last Fill.
  bool Exhausted() const { return exhausted_; }
  /// Holds the cubins of every candidate it hands out; whoever drops one releases them.
  CubinStore& cubins() { return cubins_; }

 private:
  struct Flight {
    Candidate candidate;
    std::filesystem::path source;                     ///< empty: the variant's
    std::vector<std::optional<BuildResult>> results;  ///< one a kernel
    std::size_t missing = 0;
    bool built_again = false;
  };

  /// Begins to make one configuration; the number of its flight.
  Result<std::int64_t> Add(const Config& config);
  /// Takes it up once the factory has made it: submits its kernels. One that can't be made is ready.
  Status Make(std::int64_t id, const Config& config);
  /// Make of all that the factory has made by now.
  Status MakeBegun();
  Status Submit(std::int64_t flight, std::size_t kernel, CompileJob job);
  Status BuildLostAgain(std::int64_t id, Flight& flight);
  Result<std::optional<Built>> Receive(std::chrono::milliseconds wait);
  Result<std::optional<Built>> Accept(BuildResult result);
  Built Finish(Flight flight);
  /// The file that the kernels of a variant are compiled from. One a variant, as constants are
  /// passed as parameters and a cubin holds its source's path.
  Result<std::filesystem::path> SourceOf(const Flight& flight);

  const operators::CandidateFactory& factory_;
  Builder& builder_;
  std::filesystem::path work_;
  std::map<std::int64_t, Config> begun_;  ///< the factory is not done with them
  std::map<std::int64_t, Flight> flights_;
  struct JobOf {
    std::int64_t flight = 0;
    std::size_t kernel = 0;
  };
  std::map<std::int64_t, JobOf> jobs_;  ///< by ticket
  std::deque<Built> ready_;
  std::set<std::string> written_variants_;
  CubinStore cubins_;
  std::int64_t next_flight_ = 1;
  std::int64_t next_ticket_ = 1;
  bool exhausted_ = false;
};

}  // namespace croq::tune
