#pragma once

#include <string>

#include "croq/base/result.h"
#include "croq/model/session_paths.h"

namespace croq::journal {

/// What is to be done with the files of an iteration that became an attempt.
struct AttemptMove {
  int attempt = 0;
  std::string tag;
  int released = 0;                  ///< the iteration number given back
  std::string log;                   ///< where the log is kept from now on
  std::string log_from;              ///< where it lies now; empty: it stays where it is
};

/// A log that bears the released number must make way for the number's next holder: returns
/// `logs/.../attempt<AAAA>_<tag>.log` for it. Empty for any other log, which stays where it is.
std::string KeptLogPath(const SessionPaths& paths, const std::string& log, int attempt,
                        const std::string& tag);

/// Moves the source and the log, removes the number's other files. May be done again after a
/// crash at any point: what is gone is done.
Status MoveAttemptFiles(const SessionPaths& paths, const AttemptMove& move);

}  // namespace croq::journal
