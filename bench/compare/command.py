"""The command line: `run` makes a row, `merge` the table and the plot, `list` names shapes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from . import cases, croq_session, plot, rows, table
from .contestant import BAR, TITLES
from .errors import MachineError, UsageError

_RUN_HELP = """\
example: python3 bench/compare run matmul_f16fp32_4096x4096x4096 --rows rows

Needs one NVIDIA GPU, a built croq, and a Python with torch and Triton (this one; croq's own is
CROQ_PYTHON, by default this one too). Ends within 5 minutes. Writes rows/KEY.json.
Exit codes: 0 done, 1 the machine or torch failed, 2 usage."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong the way the rest does."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def _contestants(text: str) -> tuple[str, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in TITLES]
    if unknown or not names:
        raise UsageError(f"--contestants: unknown {', '.join(unknown) or 'nothing'}; there are "
                         f"{', '.join(TITLES)}")
    return tuple(name for name in TITLES if name in names or name == BAR)


def _seconds(text: str) -> int:
    number = text.removesuffix("s")
    if not number.isdigit() or int(number) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of seconds, as in 60s")
    return int(number)


def _device(text: str) -> int:
    number = text.removeprefix("cuda:")
    if not number.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is no GPU, as in cuda:0")
    return int(number)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="bench/compare", description="croq beside torch.matmul, cublasLt's best "
                     "of 8, @triton.autotune and Inductor, on one GPU in one run")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="run|merge|list")
    run = verbs.add_parser("run", help="measure one shape", epilog=_RUN_HELP,
                           formatter_class=argparse.RawDescriptionHelpFormatter)
    run.add_argument("key", metavar="KEY", help="shape key, any that croq takes")
    run.add_argument("--rows", type=Path, default=Path("rows"), metavar="DIR",
                     help="where the row goes (default: rows)")
    run.add_argument("--croq", metavar="PATH", help="the croq to compare (default: $CROQ, the "
                     "package's or the release build's)")
    run.add_argument("--time", type=_seconds, default=60, metavar="SECONDS",
                     help="croq's budget (default: 60s)")
    run.add_argument("--script", type=Path, metavar="FILE",
                     help="measure this stored kernel of croq's instead of tuning")
    run.add_argument("--contestants", type=str, default=",".join(TITLES), metavar="NAMES",
                     help="some of " + ",".join(TITLES))
    run.add_argument("--device", type=_device, default=0, metavar="cuda:N")
    run.add_argument("--limit", type=_seconds, default=285, metavar="SECONDS",
                     help="of the whole run; tools are cut short to keep it (default: 285s)")
    run.add_argument("--seed", type=int, default=0, help="of inputs and orders (default: 0)")
    run.add_argument("--samples", action="store_true", help="keep every time in the row")
    run.add_argument("--work", type=Path, metavar="DIR", help="keep croq's session here")
    merge = verbs.add_parser("merge", help="rows to one Markdown table and a plot")
    merge.add_argument("rows", nargs="+", type=Path, metavar="ROW.json")
    merge.add_argument("--table", type=Path, metavar="FILE", help="default: standard output")
    merge.add_argument("--plot", type=Path, metavar="FILE.svg")
    merge.add_argument("--regime", choices=rows.REGIMES, default="cold", help="of the plot")
    verbs.add_parser("list", help="the 16 shapes")
    return parser


def _run(arguments: argparse.Namespace, said: Sequence[str]) -> None:
    case = cases.parse(arguments.key)
    wanted = _contestants(arguments.contestants)
    script: Path | None = arguments.script
    if script is not None and not script.is_file():
        raise UsageError(f"--script: there is no file {script}")
    tunes = "croq" in wanted and script is None
    croq = croq_session.find_croq(arguments.croq) if tunes else None

    from . import one_row

    row = one_row.make(one_row.Options(
        case=case, croq=croq, script=script if "croq" in wanted else None, wanted=wanted,
        tune_seconds=arguments.time, limit_seconds=arguments.limit, device=arguments.device,
        seed=arguments.seed, keep_samples=arguments.samples, work=arguments.work,
        command=" ".join(["python3 bench/compare", *said])))
    path = arguments.rows / f"{case.key}.json"
    rows.write(row, path)
    print(table.markdown([row]), end="")
    print(f"compare: {path}, {row['seconds']:.0f} s", file=sys.stderr)


def _merge(arguments: argparse.Namespace) -> None:
    merged = rows.read_all(arguments.rows)
    text = table.markdown(merged)
    if arguments.plot is not None:
        arguments.plot.write_text(plot.svg(merged, arguments.regime), encoding="utf-8")
    if arguments.table is not None:
        arguments.table.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


def main(said: Sequence[str]) -> int:
    """Exit code: 0 done, 1 the machine failed, 2 usage."""
    try:
        arguments = _parser().parse_args(said)
        if arguments.verb == "run":
            _run(arguments, said)
        elif arguments.verb == "merge":
            _merge(arguments)
        else:
            print("\n".join(cases.KEYS))
    except UsageError as error:
        print(f"compare: {error}", file=sys.stderr)
        return 2
    except (MachineError, OSError) as error:
        print(f"compare: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
