"""The stage of timing.py on torch's current CUDA stream."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import torch

from .contestant import Call
from .gpu_state import GpuState
from .operands import OperandSet
from .timing import Block

# Read by each flush: over four times the L2 of any GPU so far. Reading leaves clean lines behind;
# after writing, the kernel under test would pay for writing them back.
_FLUSH_BYTES = 256 * 2**20

# torch.cuda._sleep counts SM cycles; at a lower clock the hold is longer, which does no harm.
_CYCLES_PER_MS = 2_000_000

BLOCK_MS = 40.0
_MOST_LAUNCHES = 2000


class CudaStage:
    """Holds, flushes and marks on the current stream."""

    def __init__(self, state: GpuState) -> None:
        self._state = state
        self._flush = torch.zeros(_FLUSH_BYTES // 4, device="cuda")
        self._sink = torch.zeros((), device="cuda")
        self._held = torch.cuda.Event()
        self.flush_bytes = _FLUSH_BYTES

    def hold(self, ms: float) -> None:
        torch.cuda._sleep(int(ms * _CYCLES_PER_MS))
        self._held.record()

    def released(self) -> bool:
        return self._held.query()

    def flush(self) -> None:
        torch.sum(self._flush, dim=0, out=self._sink)

    def mark(self) -> torch.cuda.Event:
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def between(self, start: torch.cuda.Event, stop: torch.cuda.Event) -> float:
        return float(start.elapsed_time(stop))

    def observe(self) -> None:
        self._state.sample()

    def wait(self) -> None:
        torch.cuda.synchronize()


def _captured(call: Call, sets: Sequence[OperandSet], launches: int) -> Callable[[], Any]:
    """A CUDA graph of that many calls on the sets in turn."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):  # what a library allocates for each stream must not fall in
        call(sets[0])
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    # Outputs that a contestant allocates stay alive for a turn of all sets, as those handed in do.
    outputs: deque[Any] = deque(maxlen=len(sets))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):
        for index in range(launches):
            outputs.append(call(sets[index % len(sets)]))

    def replay() -> None:
        graph.replay()

    replay.kept = outputs  # type: ignore[attr-defined]
    replay()
    torch.cuda.synchronize()
    return replay


def make_block(call: Call, sets: Sequence[OperandSet], ms: float) -> tuple[Block, str]:
    """A block of about BLOCK_MS for a kernel of `ms`, and a note where it is no CUDA graph: the
    graph keeps the host's cost of a launch out, which is above the GPU's for a short kernel."""
    launches = max(2, min(_MOST_LAUNCHES, round(BLOCK_MS / max(ms, 1e-3))))
    launches = -(-launches // len(sets)) * len(sets)
    try:
        replay = _captured(call, sets, launches)
        repeats = max(1, round(BLOCK_MS / max(ms * launches, 1e-3)))

        def run_graph() -> None:
            for _ in range(repeats):
                replay()

        return Block(launches * repeats, run_graph), ""
    except RuntimeError as error:
        torch.cuda.synchronize()
        reason = str(error).strip().splitlines()[0][:200]

    def run_loop() -> None:
        for index in range(launches):
            call(sets[index % len(sets)])

    return Block(launches, run_loop), f"sustained in a host loop, for capture failed: {reason}"


def kernel_names(call: Call, operands: OperandSet) -> list[str]:
    """Names of the kernels that one call launches; none where no profiler works."""
    try:
        from torch.profiler import ProfilerActivity, profile

        with profile(activities=[ProfilerActivity.CUDA]) as recorded:
            call(operands)
            torch.cuda.synchronize()
        return [event.name for event in recorded.events()
                if event.device_type == torch.autograd.DeviceType.CUDA
                and not event.name.startswith(("Memset", "Memcpy"))]
    except Exception:  # a profiler is a convenience here, never a reason to fail
        return []
