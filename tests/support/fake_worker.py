"""A fake of croq_worker for tests: no Triton, faults on demand.

The job says what goes wrong, by its kernel's, entry's or file's name; CROQ_FAKE_START says what goes wrong at the
start. `*_once` faults happen in the first process that gets the job and not in the next one
(CROQ_FAKE_STATE is a folder where the fake remembers). CROQ_FAKE_CUBIN is the cubin it hands out.
"""

import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time

READ, WRITE = 3, 4


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


def write_raw(data):
    while data:
        data = data[os.write(WRITE, data):]


def write(message):
    payload = json.dumps(message).encode()
    write_raw(struct.pack("<I", len(payload)) + payload)


def first_time(name):
    marker = os.path.join(os.environ["CROQ_FAKE_STATE"], name)
    if os.path.exists(marker):
        return False
    open(marker, "w").close()
    return True


def note_pid(pid):
    with open(os.path.join(os.environ["CROQ_FAKE_STATE"], "pids"), "a") as file:
        file.write(f"{pid}\n")


def hang(deep):
    if deep:  # ptxas is a child that does not care for SIGTERM and is not in the worker's session
        child = subprocess.Popen(["/bin/sh", "-c", "trap '' TERM; sleep 600"],
                                 start_new_session=True)
        note_pid(child.pid)
        note_pid(os.getpid())
    print("about to hang", flush=True)
    while True:
        time.sleep(60)


def misbehave(fault, request):
    if fault.endswith("_once"):
        if not first_time(fault):
            return None
        fault = fault[: -len("_once")]
    if fault == "crash":
        print("LLVM ERROR: out of ideas", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    elif fault == "exit":
        sys.exit(3)
    elif fault in ("hang", "deep_hang"):
        hang(fault == "deep_hang")
    elif fault == "flood_then_fail":
        for _ in range(20000):
            print("// PTX " + "x" * 200)
        print("ptxas fatal : last line", flush=True)
        return {"type": "compiled", "ok": False, "outcome": "compile", "error": "PTXASError",
                "message": "ptxas gave up", "retire": False}
    elif fault == "fail":
        return {"type": "compiled", "ok": False, "outcome": "compile", "error": "CompilationError",
                "message": "no such name", "retire": False}
    elif fault == "retire":
        return {"type": "compiled", "ok": False, "outcome": "compile", "error": "RuntimeError",
                "message": "PassManager::run failed", "retire": True}
    elif fault == "disk_full":
        return {"type": "compiled", "ok": False, "outcome": "compile", "error": "OSError",
                "message": "[Errno 28] No space left on device", "retire": False}
    elif fault == "refuse":
        return {"type": "error", "message": "field 'kernel' is missing"}
    elif fault == "garbage":
        write_raw(b"\xff\xff\xff\xff no frame at all")
        time.sleep(60)
    elif fault == "not_json":
        write_raw(struct.pack("<I", 4) + b"oops")
        time.sleep(60)
    elif fault == "torn":
        write_raw(struct.pack("<I", 400) + b"{")
        sys.exit(0)
    elif fault == "wrong_id":
        write({"type": "compiled", "id": request["id"] + 1000, "ok": True})
        time.sleep(60)
    elif fault == "unreadable":
        return {"type": "compiled", "ok": True, "entry": "k"}
    elif fault == "slow":
        time.sleep(0.3)
    elif fault == "die_idle":
        answer(request, None)
        sys.exit(4)
    return None


def compiled(request):
    os.makedirs(request["out"], exist_ok=True)
    cubin = os.path.join(request["out"], "kernel.cubin")
    shutil.copyfile(os.environ["CROQ_FAKE_CUBIN"], cubin)
    return {"type": "compiled", "ok": True, "cubin": cubin, "entry": "matmul_kernel",
            "num_warps": 4, "num_ctas": 1, "shared": 1024, "global_scratch_size": 0,
            "global_scratch_align": 1, "profile_scratch_size": 0, "scratch_parameters": 2,
            "cooperative": False, "pdl": False, "tensordesc_meta": [],
            "warp_specialized": request["kernel"] == "specialise", "wgmma_serialized": False, "compile_ms": 1.5}


def answer(request, reply):
    if reply is None and request["type"] == "compile":
        reply = compiled(request)
    elif reply is None and request["type"] == "parse":
        sys.path.append(os.path.join(os.path.dirname(__file__), "../../python"))
        from croq_worker.syntax_tree import parse_reply
        reply = parse_reply(request)
    elif reply is None and request["type"] == "capture":
        reply = {"type": "captured", "ok": False, "outcome": "runtime", "error": "Refused",
                 "message": f"worker {os.getpid()} refuses {request['source']}", "retire": False}
    elif reply is None and request["type"] == "interpret":
        reply = {"type": "interpreted", "ok": True, "passed": True, "max_abs_err": 0.25, "worst_ratio": 0.5,
                 "nan_count": 0, "checked_as": "f16fp32"}
    write({**reply, "id": request["id"]})


def main():
    kind = sys.argv[1]
    start = os.environ.get("CROQ_FAKE_START", "")
    version = "9.9.9" if start == "wrong_version" else "0.1.0"
    if start == "exit" or (start == "exit_once" and first_time("exit_once")):
        print("ModuleNotFoundError: No module named 'triton'", file=sys.stderr)
        sys.exit(1)
    if start == "silent":
        time.sleep(600)
    write({"type": "hello", "worker": "other" if start == "wrong_kind" else kind, "protocol": 1,
           "croq": version, "python": "3.11.7", "triton": "3.6.0", "torch": None, "numpy": None,
           "pid": os.getpid()})
    if start == "die":
        sys.exit(5)
    while True:
        request = read()
        asked = request.get("problem") or request
        fault = request.get("kernel") or asked.get("entry") or ""
        if request["type"] == "parse":
            fault = os.path.splitext(os.path.basename(request["source"]))[0]
        answer(request, misbehave(fault, request))


main()
