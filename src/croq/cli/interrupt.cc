#include "croq/cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "croq/cli/app.h"

namespace croq::cli {
namespace {

std::atomic<bool> interrupted{false};

void OnSignal(int) {
  if (interrupted.exchange(true)) ::_exit(kExitInterrupted);
  constexpr char kMessage[] =
      "\ncroq: stopping after the step in flight; once more to stop at once\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
}

}  // namespace

const std::atomic<bool>& CatchInterrupts() {
  struct sigaction action {};
  action.sa_handler = OnSignal;
  ::sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM}) ::sigaction(number, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return interrupted;
}

}  // namespace croq::cli
