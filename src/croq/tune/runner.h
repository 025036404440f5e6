#pragma once

#include "croq/base/result.h"
#include "croq/model/runner_messages.h"

namespace croq::tune {

/// Checks and times launch plans on one device. A candidate's failure is data in the reply. After a
/// lost context or a hang the implementation starts a fresh device process, prepares it anew (the
/// references of a brought problem included: their files must stay) and goes on; an error means that
/// the device itself can't be used any more.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual Result<PrepareReply> Prepare(const PrepareRequest& request) = 0;
  /// Of a brought problem: the inputs that its reference is to be computed from, and the reference.
  virtual Result<InputsReply> WriteInputs(const InputsRequest& request) = 0;
  virtual Result<ReferencesReply> SetReferences(const ReferencesRequest& request) = 0;
  virtual Result<TrialReply> RunTrial(const TrialRequest& request) = 0;
  virtual Result<DuelReply> RunDuel(const DuelRequest& request) = 0;
  virtual Result<TimeReply> Time(const TimeRequest& request) = 0;
  virtual Result<HeuristicsReply> FindHeuristics(const HeuristicsRequest& request) = 0;
  /// How often a fresh device process had to be started.
  virtual int Restarts() const = 0;
};

}  // namespace croq::tune
