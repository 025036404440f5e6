"""Makes one row: croq tunes, then all race in this process."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from . import croq_session, rows
from .cases import Case
from .contestant import FAILED, MEASURED, Contestant
from .errors import MachineError


@dataclass(frozen=True)
class Options:
    """What `run` was asked for."""

    case: Case
    croq: Path | None  # None: not asked for, or `script` stands in
    script: Path | None  # a stored kernel to measure without tuning
    wanted: tuple[str, ...]  # contestants
    tune_seconds: int
    limit_seconds: int
    device: int
    seed: int
    keep_samples: bool
    work: Path | None  # where croq's session is kept; None: nowhere
    command: str


def _say(text: str) -> None:
    print(f"compare: {text}", file=sys.stderr, flush=True)


def _need_gpu(device: int) -> None:
    """Before a minute of tuning, not after."""
    try:
        import torch
        import triton  # noqa: F401
    except ImportError as error:
        raise MachineError(f"{sys.executable} has no {error.name}: run this with the Python that "
                           "has torch and Triton") from error
    if not torch.cuda.is_available() or torch.cuda.device_count() <= device:
        raise MachineError(f"there is no GPU cuda:{device} that torch {torch.__version__} can use")


def _tune(options: Options, folder: Path) -> croq_session.CroqRun | None:
    if options.croq is None:
        return None
    _say(f"croq tunes for {options.tune_seconds} s")
    session = (options.work or folder) / "croq"
    session.mkdir(parents=True, exist_ok=True)
    if any(session.iterdir()):
        raise MachineError(f"{session} is not empty: a session there would be gone on with")
    environment = dict(os.environ, TRITON_CACHE_DIR=str(folder / "croq_triton"))
    environment.setdefault("CROQ_PYTHON", sys.executable)
    return croq_session.tune(options.croq, options.case.key, seconds=options.tune_seconds,
                             device=f"cuda:{options.device}", folder=session,
                             environment=environment)


def _stand_in(options: Options, run: croq_session.CroqRun | None) -> Contestant | None:
    """croq's entry where it has no script to measure."""
    if "croq" not in options.wanted or options.script is not None:
        return None
    if run is None or run.script is not None:
        return None
    status = FAILED if run.status == "ready" else run.status
    return Contestant("croq", status=status, reason=run.reason, seconds=run.seconds)


def _entry(contestant: Contestant, race: Any, key: str, keep_samples: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "status": contestant.status, "reason": contestant.reason, "seconds": contestant.seconds,
        "detail": contestant.detail, "max_abs_err": contestant.max_abs_err,
        "notes": contestant.notes, "kernels": race.kernels.get(contestant.name, [])}
    for regime in rows.REGIMES:
        times = race.times.get(regime, {})
        if contestant.status != MEASURED or contestant.name not in times:
            continue
        entry[regime] = rows.figures(key, contestant.name, times)
        if keep_samples:
            entry[regime]["samples_ms"] = [round(ms, 6) for ms in times[contestant.name]]
    return entry


def _machine(state: Any) -> dict[str, Any]:
    import torch

    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    return {"gpu": properties.name, "sms": properties.multi_processor_count,
            "l2_bytes": properties.L2_cache_size, "driver": state.driver(),
            "power_limit_w": state.power_limit_w(), "cores": len(os.sched_getaffinity(0))}


def _versions(run: croq_session.CroqRun | None) -> dict[str, str]:
    import torch
    import triton

    from . import cublas_lt

    session = run.session if run is not None else None
    number = cublas_lt.library_version(cublas_lt.loaded_library())
    return {"croq": session.versions.get("croq", "") if session is not None else "",
            "python": platform.python_version(), "torch": torch.__version__,
            "cuda": torch.version.cuda or "", "triton": triton.__version__,
            "cublas_lt": str(number)}


def _race(options: Options, run: croq_session.CroqRun | None, deadline: float) -> rows.Row:
    import torch

    from .gpu_state import GpuState
    from .race import Racing

    torch.cuda.set_device(options.device)
    state = GpuState(str(getattr(torch.cuda.get_device_properties(options.device), "uuid", "")))
    racing = Racing(options.case, state, deadline, options.seed)
    script = options.script or (run.script if run is not None else None)
    race = racing.run(list(options.wanted), script, _stand_in(options, run))
    for contestant in race.contestants:
        if contestant.name == "croq" and run is not None:
            contestant.seconds = run.seconds  # not the import of its script
            contestant.notes += [run.reason] if run.reason and run.status == "ready" else []
    return {
        "format": rows.FORMAT, "shape_key": options.case.key, "command": options.command,
        "measured_at": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": _machine(state), "versions": _versions(run),
        "settings": {"tune_seconds": options.tune_seconds, "seed": options.seed,
                     "flush_bytes": racing.flush_bytes, "operand_sets": race.operand_sets,
                     "rounds": {regime: len(next(iter(times.values())))
                                for regime, times in race.times.items()}},
        "gpu_state": race.state,
        "croq": None if run is None else {
            "wall_seconds": run.seconds, "command": run.command,
            "session": run.session.to_json() if run.session is not None else None},
        "contestants": {one.name: _entry(one, race, options.case.key, options.keep_samples)
                        for one in race.contestants}}


def make(options: Options) -> rows.Row:
    """The row of one shape. All caches are empty at the start: every tool starts cold."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="croq-compare-",
                                     ignore_cleanup_errors=True) as name:
        folder = Path(name)
        os.environ["TRITON_CACHE_DIR"] = str(folder / "triton")
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder / "inductor")
        _need_gpu(options.device)
        run = _tune(options, folder)
        if run is not None:
            _say(f"croq: {run.status} after {run.seconds:.0f} s {run.reason}".rstrip())
        _say(f"racing: {', '.join(options.wanted)}")
        row = _race(options, run, began + options.limit_seconds)
    row["seconds"] = time.monotonic() - began
    return row
