"""The contestants in one process: built from cold, checked, timed against each other."""

from __future__ import annotations

import random
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from . import autotuned, cuda_stage, inductor, library, lt_best, operands, stored_script, timing
from .cases import Case
from .contestant import BAR, MEASURED, WRONG, Contestant, enter
from .cuda_stage import CudaStage
from .errors import MachineError
from .gpu_state import GpuState

_COLD_SECONDS, _COLD_LEAST, _COLD_MOST = 8.0, 40, 300
_SUSTAINED_ROUNDS = 24

# Kept free for checks and timing when the tools' time is limited.
_MEASURING_SECONDS = 40.0
_TOOL_SECONDS = 150.0


@dataclass
class Race:
    """What came of it."""

    contestants: list[Contestant]
    times: dict[str, timing.Times] = field(default_factory=dict)  # regime to contestant to times
    state: dict[str, Any] = field(default_factory=dict)  # regime to clock and power
    kernels: dict[str, list[str]] = field(default_factory=dict)
    operand_sets: int = 0


class Racing:
    """One race. `deadline` is a time.monotonic() by which all should be over."""

    def __init__(self, case: Case, state: GpuState, deadline: float, seed: int) -> None:
        self._case, self._state, self._deadline = case, state, deadline
        self._rng = random.Random(seed)
        l2_bytes = torch.cuda.get_device_properties(torch.cuda.current_device()).L2_cache_size
        self._sets = operands.make(case, operands.sets_for(case, l2_bytes), seed=seed)
        self._first = self._sets[0]
        self._stage = CudaStage(state)
        self._bound = case.tolerance
        self.flush_bytes = self._stage.flush_bytes

    def run(self, wanted: list[str], script: Path | None, croq: Contestant | None) -> Race:
        """`croq` stands in where there is no script of its to measure."""
        bar = self._bar()
        race = Race([bar], operand_sets=len(self._sets))
        for name in wanted:
            if name == BAR:
                continue
            if name == "croq" and script is None:
                assert croq is not None
                race.contestants.append(croq)
                continue
            race.contestants.append(self._check(self._enter(name, script, bar)))
        running = {one.name: one.call for one in race.contestants if one.call is not None}
        self._cold(race, running)
        self._sustained(race, running)
        race.kernels = {name: cuda_stage.kernel_names(call, self._first)
                        for name, call in running.items()}
        return race

    def _bar(self) -> Contestant:
        """torch itself. Nobody is held to more than it reaches."""
        bar = enter(BAR, lambda: library.build(self._case, self._first), torch.cuda.synchronize,
                    _TOOL_SECONDS)
        if bar.call is None:
            raise MachineError(f"torch can't compute {self._case.key}: {bar.reason}")
        bar.max_abs_err = self._error(bar)
        if bar.max_abs_err > 10 * self._case.tolerance:
            raise MachineError(f"torch's own result is off by {bar.max_abs_err:g}")
        self._bound = max(self._bound, bar.max_abs_err)
        if bar.max_abs_err > self._case.tolerance:
            bar.notes.append(f"its own error is above the tolerance of {self._case.tolerance:g}; "
                             "nobody is held to more")
        return bar

    def _error(self, contestant: Contestant) -> float:
        assert contestant.call is not None
        operands.spoil(self._first)
        return operands.largest_error(self._first, contestant.call(self._first))

    def _enter(self, name: str, script: Path | None, bar: Contestant) -> Contestant:
        case, first = self._case, self._first
        builders = {
            "cublaslt_best": lambda: lt_best.build(case, first, self._stage, self._bound,
                                                   self._typical_ms(bar)),
            "autotune": lambda: autotuned.build(case, first),
            "inductor": lambda: inductor.build(case, first),
            "croq": lambda: stored_script.build(script or Path(), first),
        }
        left = self._deadline - time.monotonic() - _MEASURING_SECONDS
        return enter(name, builders[name], torch.cuda.synchronize,
                     max(5.0, min(_TOOL_SECONDS, left)))

    def _typical_ms(self, contestant: Contestant) -> float:
        call = contestant.call
        assert call is not None
        times = timing.cold(self._stage, {"one": lambda: call(self._first)}, 3, self._rng, 1)
        return statistics.median(times["one"])

    def _check(self, contestant: Contestant) -> Contestant:
        if contestant.call is None:
            return contestant
        try:
            contestant.max_abs_err = self._error(contestant)
        except RuntimeError as error:
            contestant.drop(WRONG, f"its second call failed: {str(error).splitlines()[0]}"[:300])
            return contestant
        if contestant.max_abs_err > self._bound:
            contestant.drop(WRONG, f"off by {contestant.max_abs_err:g} from float32, beyond "
                            f"{self._bound:g}")
        else:
            contestant.status = MEASURED
        return contestant

    def _cold(self, race: Race, running: dict[str, Any]) -> None:
        launches = {name: (lambda call=call: call(self._first)) for name, call in running.items()}
        self._state.take()
        tried = timing.cold(self._stage, launches, 2, self._rng, 1)
        round_ms = sum(statistics.median(times) for times in tried.values()) + 2.0
        rounds = timing.rounds_for(_COLD_SECONDS, round_ms, _COLD_LEAST, _COLD_MOST)
        race.times["cold"] = timing.cold(self._stage, launches, rounds, self._rng)
        race.state["cold"] = self._state.take()

    def _sustained(self, race: Race, running: dict[str, Any]) -> None:
        blocks = {}
        for one in race.contestants:
            if one.call is None:
                continue
            typical = statistics.median(race.times["cold"][one.name])
            blocks[one.name], note = cuda_stage.make_block(one.call, self._sets, typical)
            if note:
                one.notes.append(note)
        self._state.take()
        race.times["sustained"] = timing.sustained(self._stage, blocks, _SUSTAINED_ROUNDS,
                                                   self._rng)
        race.state["sustained"] = self._state.take()
