#include "croq/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace croq {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "croq: internal check failed: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace croq
