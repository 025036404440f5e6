#include "croq/backend/runner_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "croq/backend/runner_process.h"
#include "croq/protocol/hello.h"
#include "croq/protocol/runner_messages_json.h"

namespace croq::backend {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

milliseconds Millis(double ms) {
  return milliseconds(static_cast<std::int64_t>(ms));
}

/// Launches under the watch of deadline_ms: every timed and untimed one, the check's, and as many
/// again for the other input sets.
milliseconds Allowed(const TrialRequest& request) {
  return Millis(request.deadline_ms * (request.warmup + request.samples + 4));
}
milliseconds Allowed(const DuelRequest& request) {
  return Millis(request.max_wall_ms + request.deadline_ms * 4);
}
milliseconds Allowed(const TimeRequest& request) {
  return Millis(request.deadline_ms * 4);
}

bool UsesHeuristics(const DuelRequest& request) {
  return request.reference == DuelReference::kCublasLtBest;
}
bool UsesHeuristics(const TimeRequest& request) {
  return request.subject == DuelReference::kCublasLtBest;
}
bool UsesHeuristics(const TrialRequest& /*request*/) {
  return false;
}

}  // namespace

class RunnerClient::Impl {
 public:
  explicit Impl(const RunnerOptions& options) : options_(options), process_(options) {}

  const OpenReply& opened() const { return opened_; }
  int restarts() const { return std::max(process_.starts() - 1, 0); }

  /// Start, hello and open. An Exchange without a reply: it was lost on the way.
  Result<Exchange> Open() {
    CROQ_ASSIGN(Exchange started, process_.Start());
    if (!started.reply)
      return started;
    CROQ_ASSIGN(const protocol::RunnerHello hello, protocol::DecodeRunnerHello(*started.reply));
    if (!hello.cuda) {
      return Failure(
          fmt::format("there is no CUDA here: {}. Use --device offline:sm90 to tune "
                      "without a GPU",
                      hello.problem));
    }
    OpenRequest request;
    request.ordinal = options_.ordinal;
    CROQ_ASSIGN(Exchange answer, process_.Ask(protocol::Encode(request), options_.open_wait));
    if (answer.reply) {
      CROQ_ASSIGN(opened_, protocol::DecodeOpenReply(*answer.reply));
    }
    return answer;
  }

  /// A runner that is opened, and prepared where a preparation is known. `prepared` takes its
  /// reply.
  Status Ensure(std::optional<PrepareReply>* prepared = nullptr) {
    std::string reason;
    for (int attempt = 0; attempt < 2; ++attempt) {
      CROQ_ASSIGN(const Exchange exchange, TryReady(prepared));
      if (exchange.reply)
        return {};
      reason = exchange.reason;
    }
    return Failure(fmt::format("the device can't be used: twice in a row {}", reason));
  }

  Result<PrepareReply> Prepare(const PrepareRequest& request) {
    preparation_ = request;
    is_prepared_ = false;
    heuristics_.reset();
    references_.clear();
    std::optional<PrepareReply> reply;
    const Status ready = Ensure(&reply);
    if (!ready) {
      preparation_.reset();
      return tl::unexpected(ready.error());
    }
    return std::move(*reply);
  }

  Result<InputsReply> WriteInputs(const InputsRequest& request) {
    CROQ_TRY(Ensure());
    CROQ_ASSIGN(const json reply, Demand(protocol::Encode(request)));
    return protocol::DecodeInputsReply(reply);
  }

  Result<ReferencesReply> SetReferences(const ReferencesRequest& request) {
    CROQ_TRY(Ensure());
    CROQ_ASSIGN(const json reply, Demand(protocol::Encode(request)));
    CROQ_ASSIGN(const ReferencesReply set, protocol::DecodeReferencesReply(reply));
    references_[request.set] = request;
    return set;
  }

  /// A request about a candidate: losing the runner on it is its outcome.
  template <typename Reply, typename Request>
  Result<Reply> Judge(const Request& request, Result<Reply> (*decode)(const json&)) {
    CROQ_TRY(Ensure());
    if (UsesHeuristics(request))
      CROQ_TRY(RestoreHeuristics());
    CROQ_ASSIGN(const Exchange exchange,
                process_.Ask(protocol::Encode(request), Allowed(request) + options_.slack));
    if (!exchange.reply) {
      Reply reply;
      reply.outcome = exchange.timed_out ? Outcome::kTimeout : Outcome::kRuntime;
      reply.reason = exchange.reason;
      reply.sticky = true;
      return reply;
    }
    auto reply = decode(*exchange.reply);
    if (!reply)
      return Wrap(reply.error(), "croq-runner's reply can't be read");
    // The runner ends by itself after such a reply; the next request finds a fresh one.
    if (reply->sticky || reply->outcome == Outcome::kTimeout)
      process_.Retire();
    return reply;
  }

  Result<HeuristicsReply> FindHeuristics(const HeuristicsRequest& request) {
    heuristics_ = request;
    has_heuristics_ = false;
    CROQ_TRY(Ensure());
    const milliseconds wait = options_.slack + options_.prepare_wait;
    CROQ_ASSIGN(const Exchange exchange, process_.Ask(protocol::Encode(request), wait));
    if (!exchange.reply) {
      heuristics_.reset();
      HeuristicsReply lost;
      lost.problem = exchange.reason;
      return lost;
    }
    has_heuristics_ = true;
    return protocol::DecodeHeuristicsReply(*exchange.reply);
  }

 private:
  /// One attempt of Ensure.
  Result<Exchange> TryReady(std::optional<PrepareReply>* prepared) {
    Exchange exchange{json::object(), false, {}};
    if (!process_.Alive()) {
      is_prepared_ = has_heuristics_ = false;
      CROQ_ASSIGN(exchange, Open());
      if (!exchange.reply)
        return exchange;
    }
    if (is_prepared_ || !preparation_)
      return exchange;
    CROQ_ASSIGN(exchange, process_.Ask(protocol::Encode(*preparation_), options_.prepare_wait));
    if (!exchange.reply)
      return exchange;
    CROQ_ASSIGN(PrepareReply reply, protocol::DecodePrepareReply(*exchange.reply));
    for (const auto& [set, references] : references_) {
      CROQ_ASSIGN(exchange, process_.Ask(protocol::Encode(references), options_.prepare_wait));
      if (!exchange.reply)
        return exchange;
    }
    is_prepared_ = true;
    if (prepared != nullptr)
      *prepared = std::move(reply);
    return exchange;
  }

  /// The reply to a request that has nothing to do with a candidate: to lose the runner on it is an
  /// error.
  Result<json> Demand(json request) {
    CROQ_ASSIGN(Exchange exchange, process_.Ask(std::move(request), options_.prepare_wait));
    if (!exchange.reply)
      return Failure(exchange.reason);
    return std::move(*exchange.reply);
  }

  /// A fresh runner does not know the best heuristic that its predecessor found.
  Status RestoreHeuristics() {
    if (!heuristics_ || has_heuristics_)
      return {};
    CROQ_TRY(FindHeuristics(*heuristics_));
    return Ensure();
  }

  RunnerOptions options_;
  RunnerProcess process_;
  OpenReply opened_;
  std::optional<PrepareRequest> preparation_;
  std::map<int, ReferencesRequest> references_;  ///< by set
  std::optional<HeuristicsRequest> heuristics_;
  bool is_prepared_ = false;     ///< this very process has had `preparation_` and `references_`
  bool has_heuristics_ = false;  ///< and `heuristics_`
};

RunnerClient::RunnerClient(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunnerClient::~RunnerClient() = default;

Result<std::unique_ptr<RunnerClient>> RunnerClient::Start(const RunnerOptions& options) {
  auto impl = std::make_unique<Impl>(options);
  CROQ_TRY(impl->Ensure());
  return std::unique_ptr<RunnerClient>(new RunnerClient(std::move(impl)));
}

const OpenReply& RunnerClient::Opened() const {
  return impl_->opened();
}
int RunnerClient::Restarts() const {
  return impl_->restarts();
}

Result<PrepareReply> RunnerClient::Prepare(const PrepareRequest& request) {
  return impl_->Prepare(request);
}

Result<InputsReply> RunnerClient::WriteInputs(const InputsRequest& request) {
  return impl_->WriteInputs(request);
}

Result<ReferencesReply> RunnerClient::SetReferences(const ReferencesRequest& request) {
  return impl_->SetReferences(request);
}

Result<TrialReply> RunnerClient::RunTrial(const TrialRequest& request) {
  return impl_->Judge<TrialReply>(request, protocol::DecodeTrialReply);
}

Result<DuelReply> RunnerClient::RunDuel(const DuelRequest& request) {
  return impl_->Judge<DuelReply>(request, protocol::DecodeDuelReply);
}

Result<TimeReply> RunnerClient::Time(const TimeRequest& request) {
  return impl_->Judge<TimeReply>(request, protocol::DecodeTimeReply);
}

Result<HeuristicsReply> RunnerClient::FindHeuristics(const HeuristicsRequest& request) {
  return impl_->FindHeuristics(request);
}

}  // namespace croq::backend
