#pragma once

/// Everything that travels between the engine, its workers and the runner.

#include "croq/protocol/compile_messages.h"      // IWYU pragma: export
#include "croq/protocol/envelope.h"              // IWYU pragma: export
#include "croq/protocol/frame.h"                 // IWYU pragma: export
#include "croq/protocol/hello.h"                 // IWYU pragma: export
#include "croq/protocol/launch_plan_json.h"      // IWYU pragma: export
#include "croq/protocol/message_types.h"         // IWYU pragma: export
#include "croq/protocol/runner_messages_json.h"  // IWYU pragma: export
#include "croq/protocol/version.h"               // IWYU pragma: export
#include "croq/protocol/worker_messages.h"       // IWYU pragma: export
