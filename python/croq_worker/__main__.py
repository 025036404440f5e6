"""Command line: ``python -m croq_worker MODE --read-fd 3 --write-fd 4``, or ``versions``."""

from __future__ import annotations

import argparse
import json
import os
import sys


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="croq_worker", description=__doc__)
    modes = parser.add_subparsers(dest="mode", required=True)
    for mode, duty in (("compile", "compile kernels, without torch or GPU"),
                       ("parse", "turn sources into syntax trees, without Triton"),
                       ("capture", "record what a host function launches, without GPU"),
                       ("interpret", "run a script in Triton's interpreter and check its numbers"),
                       ("reference", "run a brought file's reference function, on a GPU or not")):
        command = modes.add_parser(mode, help=duty)
        command.add_argument("--read-fd", type=int, default=3, help="requests come from it")
        command.add_argument("--write-fd", type=int, default=4, help="replies go to it")
        if mode == "compile":
            command.add_argument("--memory-limit-mb", type=int, default=1024,
                                 help="start afresh between two requests when larger than this")
            command.add_argument("--resumed", action="store_true", help=argparse.SUPPRESS)
    modes.add_parser("versions", help="print one line of JSON about this interpreter")
    options = parser.parse_args(arguments)

    if options.mode == "versions":
        from .versions import report
        print(json.dumps(report()))
        return 0
    if options.mode == "parse":
        from .parse_worker import run as run_parse
        return run_parse(options.read_fd, options.write_fd)
    # Both must be set before triton is imported: the first spares a scan of all installed
    # packages, the second chooses what @triton.jit makes.
    os.environ.setdefault("TRITON_BACKENDS_IN_TREE", "1")
    if options.mode == "interpret":
        os.environ["TRITON_INTERPRET"] = "1"
    else:
        os.environ.pop("TRITON_INTERPRET", None)
    if options.mode in ("capture", "interpret"):
        os.environ["CUDA_VISIBLE_DEVICES"] = ""  # only a reference may touch the GPU
    if options.mode == "compile":
        from .compile_worker import run as run_compile
        return run_compile(options.read_fd, options.write_fd, options.memory_limit_mb,
                           options.resumed)
    if options.mode == "capture":
        from .capture_worker import run
    elif options.mode == "reference":
        from .reference_worker import run
    else:
        from .interpret_worker import run
    return run(options.read_fd, options.write_fd)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
