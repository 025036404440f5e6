#pragma once

#include "croq/base/result.h"
#include "croq/model/runner_messages.h"

namespace croq::tune {

/// Checks and times launch plans on one device. A candidate's failure is data in the reply. After a
/// lost context or a hang the implementation starts a fresh device process, prepares it anew and
/// goes on; an error means that the device itself can't be used any more.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual Result<PrepareReply> Prepare(const PrepareRequest& request) = 0;
  virtual Result<TrialReply> RunTrial(const TrialRequest& request) = 0;
  virtual Result<DuelReply> RunDuel(const DuelRequest& request) = 0;
  virtual Result<TimeReply> Time(const TimeRequest& request) = 0;
  virtual Result<HeuristicsReply> FindHeuristics(const HeuristicsRequest& request) = 0;
  /// How often a fresh device process had to be started.
  virtual int Restarts() const = 0;
};

}  // namespace croq::tune
