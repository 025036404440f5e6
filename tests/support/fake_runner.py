"""A fake of croq-runner for tests: no CUDA, faults on demand.

A trial's first kernel entry says what goes wrong. CROQ_FAKE_STATE is a folder: `requests` in it
lists every request's type; CROQ_FAKE_START says what goes wrong at the start.
"""

import json
import os
import signal
import struct
import sys
import time

READ, WRITE = 3, 4
STATE = os.environ["CROQ_FAKE_STATE"]


def read_exactly(count):
    data = b""
    while len(data) < count:
        part = os.read(READ, count - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data


def read():
    return json.loads(read_exactly(struct.unpack("<I", read_exactly(4))[0]))


def write(message):
    payload = json.dumps(message).encode()
    os.write(WRITE, struct.pack("<I", len(payload)) + payload)


def first_time(name):
    marker = os.path.join(STATE, name)
    if os.path.exists(marker):
        return False
    open(marker, "w").close()
    return True


def note(text):
    with open(os.path.join(STATE, "requests"), "a") as file:
        file.write(text + "\n")


DEVICE = {"key": "sm90_NVIDIA_H200", "name": "NVIDIA H200", "compute_capability": 90,
          "sm_count": 132, "shared_bytes_per_block": 232448, "shared_bytes_per_sm": 233472,
          "registers_per_sm": 65536, "l2_bytes": 62914560, "memory_bytes": 150754820096,
          "memory_free_bytes": 150000000000, "peak_tflops_f16": 989.0, "peak_tflops_tf32": 494.0,
          "peak_tflops_f32": 67.0, "memory_gb_per_s": 4000.0, "driver_version": 13000,
          "measured": True}

TIMING = {"regime": "cold", "samples_ms": [1.0, 1.5], "median_ms": 1.25, "sm_clock_mhz": 1980,
          "throttle_reasons": "0", "stopped_early": False}


def trial(request):
    fault = request["plan"]["kernels"][0]["entry"]
    reply = {"outcome": "correct", "reason": "", "sticky": False, "check": None, "timing": TIMING,
             "wall_ms": 3.0, "load_ms": 0.5, "check_ms": 1.0, "timing_ms": 1.25}
    if fault == "sticky":
        return {**reply, "outcome": "runtime", "reason": "illegal address (700)", "sticky": True,
                "timing": None}
    if fault == "endless":
        return {**reply, "outcome": "timeout", "reason": "no end after 2000 ms", "timing": None}
    if fault == "crash":
        print("runner: assertion failed", flush=True)
        os.kill(os.getpid(), signal.SIGABRT)
    if fault == "hang":
        time.sleep(600)
    if fault == "refuse":
        return {"type": "error", "message": "the plan has no kernels"}
    return reply


def handle(request):
    kind = request["type"]
    if kind == "open":
        return {"device": DEVICE, "nvml": True}
    if kind == "prepare":
        if os.environ.get("CROQ_FAKE_START") == "die_preparing" or (
                os.environ.get("CROQ_FAKE_START") == "die_preparing_once"
                and first_time("die_preparing_once")):
            sys.exit(6)
        return {"input_sets": 3, "device_bytes": 1000, "input_ms": 1.0, "baseline_problem": "",
                "baseline_kernel": "sm90_xmma_gemm", "copy_gbps": 4000.0}
    if kind in ("inputs", "references"):
        if not os.path.isdir(request["folder"]):
            return {"type": "error", "message": f"no folder {request['folder']}"}
        return {"bytes": 1000}
    if kind == "trial":
        return trial(request)
    if kind == "duel":
        return {"outcome": "correct", "reason": "", "sticky": False, "sm_clock_mhz": 0,
                "throttle_reasons": "0", "duel": {"candidate_ms": [1.0], "reference_ms": [2.0]}}
    if kind == "time":
        return {"outcome": "correct", "reason": "", "sticky": False, "timing": TIMING}
    if kind == "heuristics":
        return {"problem": "", "tried": 8, "best": 2, "first_ms": 1.0, "best_ms": 0.9}
    return {"type": "error", "message": "unknown request " + kind}


def main():
    start = os.environ.get("CROQ_FAKE_START", "")
    cuda = start != "no_cuda"
    note("hello")
    write({"type": "hello", "worker": "runner", "protocol": 1,
           "croq": "9.9.9" if start == "wrong_version" else "0.1.0", "pid": os.getpid(),
           "cuda": cuda, "problem": "" if cuda else "libcuda.so.1 is not there",
           "driver_version": 13000,
           "devices": [{"ordinal": 0, "name": "NVIDIA H200", "compute_capability": 90}]})
    while True:
        request = read()
        note(request["type"])
        reply = handle(request)
        write({"type": request["type"] + "_reply", **reply, "id": request["id"]})
        if reply.get("sticky") or reply.get("outcome") == "timeout":
            os._exit(1)


main()
