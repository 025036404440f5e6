-- One journal holds one session. `user_version` (journal/migrate.cc) names this layout and
-- `application_id` marks the file as croq's. Times are milliseconds since the Unix epoch, durations
-- milliseconds, throughput 1e12 floating-point operations a second. A REAL that is NULL is a NaN.

CREATE TABLE session (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  gpu_key TEXT NOT NULL,
  dsl TEXT NOT NULL,
  shape_key TEXT NOT NULL,
  model TEXT NOT NULL,
  offline INTEGER NOT NULL CHECK (offline IN (0, 1)),
  seed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  environment TEXT NOT NULL          -- JSON, the one that the stored figures were last timed in
) STRICT;

-- One call of croq. A run that is still 'running' when the store is opened was killed.
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  continues INTEGER REFERENCES runs (id),   -- the killed run whose budget this one goes on with
  argv TEXT NOT NULL,                -- JSON
  budget TEXT NOT NULL,              -- JSON
  environment TEXT NOT NULL,         -- JSON
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'interrupted', 'failed', 'killed')),
  started_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL           -- of its last commit
) STRICT;

CREATE TABLE trials (
  id INTEGER PRIMARY KEY,            -- from 1, without gaps
  run INTEGER REFERENCES runs (id),
  round INTEGER NOT NULL,
  config TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('correct', 'constraints', 'compile', 'runtime',
                                           'timeout', 'correctness', 'rule')),
  reason TEXT NOT NULL,
  log TEXT NOT NULL,
  time_ms REAL,                      -- cold median; predicted where offline
  max_abs_err REAL,
  registers INTEGER NOT NULL,
  local_bytes INTEGER NOT NULL,
  shared_bytes INTEGER NOT NULL,
  compile_ms REAL,
  cubin TEXT NOT NULL,
  device_state TEXT NOT NULL,
  predicted INTEGER NOT NULL CHECK (predicted IN (0, 1)),
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE iterations (
  number INTEGER PRIMARY KEY CHECK (number >= 0),   -- from 0, without gaps
  run INTEGER REFERENCES runs (id),
  state TEXT NOT NULL CHECK (state IN ('open', 'final')),
  tag TEXT NOT NULL,
  round INTEGER NOT NULL,
  config TEXT NOT NULL,
  decision TEXT NOT NULL DEFAULT '' CHECK (decision IN ('', 'KEEP', 'DISCARD')),
  bottleneck TEXT NOT NULL DEFAULT '',
  idea TEXT NOT NULL DEFAULT '',
  tflops REAL,
  time_ms REAL,
  cold_ms REAL,
  ratio REAL,
  ratio_low REAL,
  ratio_high REAL,
  best_ratio REAL,
  script_tflops REAL,
  verified INTEGER NOT NULL DEFAULT 0 CHECK (verified IN (0, 1)),
  max_abs_err REAL,
  registers INTEGER NOT NULL DEFAULT 0,
  local_bytes INTEGER NOT NULL DEFAULT 0,
  shared_bytes INTEGER NOT NULL DEFAULT 0,
  compile_ms REAL,
  cubin TEXT NOT NULL DEFAULT '',
  predicted INTEGER NOT NULL DEFAULT 0 CHECK (predicted IN (0, 1)),
  at INTEGER NOT NULL
) STRICT;

-- At most one iteration is under way.
CREATE UNIQUE INDEX one_open_iteration ON iterations (state) WHERE state = 'open';

CREATE TABLE attempts (
  number INTEGER PRIMARY KEY CHECK (number >= 1),   -- from 1, without gaps
  run INTEGER REFERENCES runs (id),
  tag TEXT NOT NULL,
  config TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('constraints', 'compile', 'runtime', 'timeout',
                                           'correctness', 'rule')),
  reason TEXT NOT NULL,
  log TEXT NOT NULL,
  tries INTEGER NOT NULL,
  released INTEGER NOT NULL,         -- the iteration number that it gave back
  log_from TEXT NOT NULL,            -- where `log` is moved from; empty: it stays where it is
  files_moved INTEGER NOT NULL CHECK (files_moved IN (0, 1)),
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE ideas (
  id INTEGER PRIMARY KEY,
  iter TEXT NOT NULL,                -- iter003, or attempt0002 where it came to nothing
  bottleneck TEXT NOT NULL,
  evidence TEXT NOT NULL,
  idea TEXT NOT NULL,
  expected TEXT NOT NULL,
  actual TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('', 'KEEP', 'DISCARD')),
  at INTEGER NOT NULL
) STRICT;

-- What was measured once for the session: cuBLAS times, cublasLt's best heuristic, ...
CREATE TABLE facts (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,               -- JSON
  at INTEGER NOT NULL
) STRICT;
