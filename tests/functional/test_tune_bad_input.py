"""What `croq tune` refuses: exit 2, a message that says what to do, nothing written."""

from __future__ import annotations

import unittest

from croq_binary import SOURCE, CroqTest, croq, has_command

GOOD = "matmul_f16fp32_256x256x256"
RECORDING = SOURCE / "data/recordings/matmul_nt_f16fp32_64x8192x8192.jsonl"
HERE = object()  # stands for the test's own folder

#: name, arguments (without --out), parts of the message
SHAPE_KEYS = [
    ("unknown operator", "conv_f16fp32_256x256x256", ["unknown operator 'conv'", "matmul_nt"]),
    ("unknown dtype", "matmul_f8_256x256x256", ["unknown dtype 'f8'", "bf16fp32"]),
    ("no parts", "matmul", ["<operator>_<dtype>_<M>x<N>x<K>"]),
    ("two dimensions", "matmul_f16fp32_256x256", ["2 dimensions"]),
    ("four dimensions", "matmul_f16fp32_1x2x3x4", ["4 dimensions"]),
    ("missing dimension", "matmul_f16fp32_256xx256", ["dimension N is missing"]),
    ("zero", "matmul_f16fp32_0x256x256", ["dimension M is 0", "at least 1"]),
    ("negative", "matmul_f16fp32_256x-1x256", ["dimension N is -1", "at least 1"]),
    ("not a number", "matmul_f16fp32_256x256xk", ["dimension K is 'k'"]),
    ("leading zero", "matmul_f16fp32_0256x256x256", ["leading zeros"]),
    ("a fraction", "matmul_f16fp32_256x25.6x256", ["dimension N is '25.6'"]),
    ("beyond 32 bits", "matmul_f16fp32_2147483648x256x256", ["2147483647"]),
    ("path", "../matmul_f16fp32_256x256x256", ["unknown operator"]),
    ("empty", "", ["<operator>_<dtype>_<M>x<N>x<K>"]),
]

#: name, arguments, parts of the message
OPTIONS = [
    ("unknown device", [GOOD, "--device", "tpu:0"], ["--device 'tpu:0'", "offline:sm90"]),
    ("unknown offline target", [GOOD, "--device", "offline:sm12"], ["offline:sm90"]),
    ("recording that is not there", [GOOD, "--device", "replay:x.jsonl"], ["recording x.jsonl"]),
    ("replay of nothing", [GOOD, "--device", "replay:"], ["replay:recording.jsonl"]),
    ("recording of another shape",
     [GOOD, "--device", f"replay:{RECORDING}"], ["is a recording of", "not of " + GOOD]),
    ("unknown strategy", [GOOD, "--strategy", "annealing"], ["hybrid", "evolutionary"]),
    ("gpu that is not there", [GOOD, "--device", "cuda:77"], ["cuda:77"]),
    ("unknown dsl", [GOOD, "--dsl", "cuda"], ["unknown DSL 'cuda'", "triton"]),
    ("model with a path", [GOOD, "--model", "../x"], ["--model '../x'", "letters"]),
    ("model with a space", [GOOD, "--model", "a b"], ["--model 'a b'"]),
    ("empty model", [GOOD, "--model", ""], ["--model ''"]),
    ("model that hides", [GOOD, "--model", ".x"], ["--model '.x'"]),
    ("long model", [GOOD, "--model", "a" * 65], ["64"]),
    ("no shape key", [], ["shape_key is required", "croq tune --help"]),
    ("rounds not a number", [GOOD, "--rounds", "many"], ["--rounds"]),
    ("negative trials", [GOOD, "--trials", "-3"], ["--trials"]),
    ("time without sense", [GOOD, "--time", "soon"], ["--time"]),
    ("negative time", [GOOD, "--time", "-5s"], ["--time"]),
    ("one good and one bad key", [GOOD, "matmul_f16fp32_0x1x1"], ["dimension M is 0"]),
]

#: name, CROQ_PYTHON, parts of the message
PYTHONS = [
    ("not there", "/nonexistent/python3", ["/nonexistent/python3", "CROQ_PYTHON"]),
    ("not Python", "/bin/true", ["not a Python interpreter", "CROQ_PYTHON"]),
]


@unittest.skipUnless(has_command("tune"), "this croq has no tune command")
class TuneBadInput(CroqTest):
    def refuse(self, arguments: list[str], parts: list[str],
               env: dict[str, str | None] | None = None) -> None:
        """Runs tune in the scratch folder and holds that nothing came of it."""
        out = self.scratch / "results"
        device = [] if "--device" in arguments else ["--device", "offline:sm90"]
        ran = croq("tune", *device, "--out", str(out), *arguments, env=env, cwd=self.scratch)
        self.assert_usage_error(ran, *parts)
        self.assertFalse(out.exists(), "something was written")
        self.assertFalse((self.scratch / "tuning").exists(), "something was written")

    def test_shape_keys(self) -> None:
        for name, key, parts in SHAPE_KEYS:
            with self.subTest(name):
                # Behind -- as a key may look like an option.
                self.refuse(["--rounds", "1", "--", key], [*parts])

    def test_shape_key_errors_show_a_right_one(self) -> None:
        self.refuse(["matmul_f16fp32_256x256"], ["matmul_f16fp32_4096x4096x4096"])

    def test_options(self) -> None:
        for name, arguments, parts in OPTIONS:
            with self.subTest(name):
                self.refuse(arguments, parts)

    def test_beyond_memory_says_what_is_needed_and_what_there_is(self) -> None:
        self.refuse(["matmul_f16fp32_2000000x2000000x2000000"], ["needs", "iB"])

    def test_unwritable_out(self) -> None:
        for out in ("/proc/croq", "/dev/null/croq"):
            with self.subTest(out):
                ran = croq("tune", GOOD, "--device", "offline:sm90", "--out", out,
                           cwd=self.scratch)
                self.assert_usage_error(ran, out, "--out")

    def test_pythons(self) -> None:
        for name, python, parts in PYTHONS:
            with self.subTest(name):
                self.refuse([GOOD, "--rounds", "1"], parts, env={"CROQ_PYTHON": python})

    def versions(self, triton: str) -> str:
        """A python3 whose worker reports this Triton (a JSON value)."""
        report = ('{"type": "versions", "python": "3.11.2", "triton": %s, "torch": "2.13.0", '
                  '"numpy": "2.3.5", "cuda": null, "cublas": null, "cublas_lt": null}' % triton)
        return str(self.program("bin/python3", f"echo '{report}'"))

    def test_no_triton(self) -> None:
        self.refuse([GOOD, "--rounds", "1"], ["triton", "not installed", "pip install"],
                    env={"CROQ_PYTHON": self.versions("null")})

    def test_old_triton(self) -> None:
        self.refuse([GOOD, "--rounds", "1"], ["3.3.1", "3.4 or newer"],
                    env={"CROQ_PYTHON": self.versions('"3.3.1"')})

    def test_no_python3(self) -> None:
        self.refuse([GOOD, "--rounds", "1"], ["python3"],
                    env={"CROQ_PYTHON": "python3-that-is-not-there", "PATH": "/nonexistent"})


if __name__ == "__main__":
    unittest.main()
