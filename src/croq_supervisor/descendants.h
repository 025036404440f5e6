#pragma once

#include <sys/types.h>

#include <vector>

namespace croq::supervisor {

/// Every process whose chain of parents leads to this one, zombies left out. Orphans belong to a
/// child subreaper, so one that called setsid or double-forked is found as well.
std::vector<pid_t> LivingDescendants();

/// SIGKILL to `group` and to every descendant until none is left, reaping all but `keep`. Gives up
/// after `seconds` (a process stuck in the kernel). True when none is left.
bool KillEverything(pid_t group, pid_t keep, int seconds);

}  // namespace croq::supervisor
