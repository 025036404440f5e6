#pragma once

#include <filesystem>

#include "croq/journal/records.h"
#include "croq/model/session_paths.h"

namespace croq::journal {

/// The session that the crash test's two programs share.
inline SessionInfo CrashSessionInfo() {
  SessionInfo info;
  info.gpu_key = "sm90_offline";
  info.dsl = "triton";
  info.shape_key = "matmul_f16fp32_64x64x64";
  info.model = "croq";
  info.seed = "1";
  return info;
}

inline SessionPaths CrashSessionPaths(const std::filesystem::path& out) {
  const SessionInfo info = CrashSessionInfo();
  return {out, info.gpu_key, info.dsl, info.shape_key, info.model};
}

}  // namespace croq::journal
