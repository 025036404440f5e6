#pragma once

namespace croq::runner {

/// Says hello on `write_fd`, then answers requests from `read_fd` until it closes. Returns the exit
/// code of the process, or ends it: after a reply that leaves the device unusable it does not
/// return, since returning would run destructors that wait for the device.
int Serve(int read_fd, int write_fd);

}  // namespace croq::runner
