#include "croq_runner/watchdog.h"

#include <gtest/gtest.h>

#include <future>

namespace croq::runner {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(Watchdog, ExpiresWhileTheCallerIsBlocked) {
  std::promise<void> expired;
  Watchdog watchdog([&] { expired.set_value(); });
  const Watchdog::Scope scope(watchdog, steady_clock::now() + milliseconds(1));
  expired.get_future().wait();  // for ever, if the watchdog sleeps
}

TEST(Watchdog, DoesNotExpireAfterTheScope) {
  bool expired = false;
  {
    Watchdog watchdog([&] { expired = true; });
    for (int i = 0; i < 100; ++i) {
      const Watchdog::Scope scope(watchdog, steady_clock::now() + hours(1));
    }
    // The deadline of the last scope would be past by now, had it not been taken back.
    watchdog.Arm(steady_clock::now() + hours(1));
    watchdog.Disarm();
  }
  EXPECT_FALSE(expired);
}

TEST(Watchdog, ALaterArmCanBeEarlier) {
  std::promise<void> expired;
  Watchdog watchdog([&] { expired.set_value(); });
  watchdog.Arm(steady_clock::now() + hours(1));
  watchdog.Arm(steady_clock::now());
  expired.get_future().wait();
}

}  // namespace
}  // namespace croq::runner
