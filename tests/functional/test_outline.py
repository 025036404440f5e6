"""`croq outline`."""

from __future__ import annotations

import json
import unittest

from croq_binary import PYTHON, CroqTest, Ran, croq

KERNEL = """import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": b}, num_warps=4) for b in (64, 128)],
                 key=["n", "rows"])
@triton.jit
def scale(x, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = row * stride + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


def launch(x):
    scale[(x.shape[0],)](x, x.numel(), x.stride(0))
"""


class Outline(CroqTest):
    def file(self, name: str, text: str | bytes) -> str:
        path = self.scratch / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def outline(self, *arguments: str) -> Ran:
        return croq("outline", *arguments, cwd=self.scratch)

    def objects(self, *arguments: str) -> list[dict]:
        return json.loads(self.outline("--json", *arguments).out)["files"]

    def test_text(self) -> None:
        self.file("k.py", KERNEL)
        ran = self.outline("k.py")
        self.assertEqual(ran.code, 0, ran)
        self.assertTrue(ran.out.startswith(
            "k.py: 1 kernel, 1 autotuned, 1 launcher, 2 warnings\n"), ran)
        for part in ("kernel scale  line 8\n", "x, n, stride, BLOCK: constexpr",
                     "triton.autotune (line 5), triton.jit (line 7)",
                     "line 5: 2 configs (comprehension)", "BLOCK=128, num_warps=4",
                     "launcher launch  line 14", "scale[(x.shape[0],)], grid: tuple",
                     "key-name: key names 'rows'", "in-place: x is loaded"):
            self.assertIn(part, ran.out)
        self.assertLessEqual(max(map(len, ran.out.splitlines())), 100, ran)

    def test_json(self) -> None:
        (one,) = self.objects(self.file("k.py", KERNEL))
        (kernel,) = one["kernels"]
        self.assertEqual(kernel["qualified_name"], "scale")
        self.assertEqual([p["name"] for p in kernel["parameters"] if p["constexpr"]], ["BLOCK"])
        (tuned,) = kernel["autotune"]
        self.assertTrue(tuned["configs_known"])
        self.assertEqual([c["kwargs"]["BLOCK"]["value"] for c in tuned["configs"]], [64, 128])
        self.assertEqual(tuned["key"], ["n", "rows"])
        (site,) = one["launch_sites"]
        self.assertEqual(site["kernels"], ["scale"])
        self.assertEqual(site["function"], "launch")
        self.assertEqual({w["code"] for w in one["warnings"]}, {"key-name", "in-place"})
        self.assertEqual(one["descriptors"], [])

    def test_shape_decides_on_overflow(self) -> None:
        path = self.file("k.py", KERNEL)
        codes = lambda shape: {w["code"] for w in self.objects(path, "--shape", shape)[0]["warnings"]}
        self.assertNotIn("int32-overflow", codes("n=1024"))
        self.assertIn("int32-overflow", codes("stride=65536, rows=65536"))

    def test_each_file_is_reported_and_the_worst_decides(self) -> None:
        self.file("good.py", KERNEL)
        self.file("bad.py", "x = (\n")
        self.file("odd.py", "# coding: latin-1\n")
        ran = self.outline("good.py", "bad.py", "nowhere.py", "odd.py")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("good.py: 1 kernel", ran.out)
        self.assertIn("croq: bad.py:1:5: syntax error", ran.err)
        self.assertIn("nowhere.py: No such file", ran.err)
        self.assertIn("odd.py", ran.err)
        objects = self.objects("bad.py", "good.py", "nowhere.py")
        self.assertEqual([sorted(o)[:2] for o in objects][1], ["descriptors", "device_reads"])
        self.assertEqual(objects[0]["line"], 1)
        self.assertIsNone(objects[2]["line"])

    def test_bad_arguments(self) -> None:
        path = self.file("k.py", KERNEL)
        self.assert_usage_error(self.outline(), "--help")
        self.assert_usage_error(self.outline(path, "--shape", "M"), "'M' is no NAME=NUMBER")
        self.assert_usage_error(self.outline(path, "--shape", "M=1.5"), "NAME=NUMBER")
        self.assert_usage_error(self.outline(path, "--shape", "M=0"), "NAME=NUMBER")
        self.assert_usage_error(self.outline(path, "--shape", "M=1,M=2"), "twice")
        self.assert_usage_error(self.outline(str(self.scratch)), "is a folder")

    def test_nothing_of_the_file_runs(self) -> None:
        marker = self.scratch / "ran"
        path = self.file("k.py", f"open({str(marker)!r}, 'w')\n{KERNEL}")
        self.assertEqual(self.outline(path).code, 0)
        self.assertFalse(marker.exists())

    def test_odd_files(self) -> None:
        """Bytes that are no text of today: each is outlined or refused, none ends croq."""
        sources = [b"", b"\xef\xbb\xbf" + KERNEL.encode(), KERNEL.replace("\n", "\r\n").encode(),
                   b"\0" * 100, b"\xff\xfe" * 50, b"x" * 300_000, b"(" * 100_000,
                   KERNEL.encode()[:-30], b"\r\r\r", "\u212a = 1\n".encode()]
        paths = [self.file(f"{number}.py", source) for number, source in enumerate(sources)]
        ran = self.outline(*paths)
        self.assertEqual(ran.code, 2, ran)
        for number in range(3):
            self.assertIn(f"{number}.py: ", ran.out)
        for number in range(3, len(sources)):
            self.assertIn(f"{number}.py", ran.err, ran)


PRUNED = """import triton, torch
import triton.language as tl

SMS = torch.cuda.get_device_properties(0).multi_processor_count


def make():
    out = []
    for block in (64, 128):
        out.append(triton.Config({"BLOCK": block}, num_warps=SMS // 33))
    return out


def none_left(configs, named_args, **kw):
    return [c for c in configs if named_args["n"] % 7 == 0]


def wrong_dict(configs, named_args, **kw):
    return configs if named_args["BLOCK"] else []


def rewrite(configs, named_args, **kw):
    return [triton.Config({"BLOCK": c.kwargs["BLOCK"] * 2}) for c in configs]


def raw(x, n, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 0.0)


k_none = triton.autotune(make(), ["n"], {"early_config_prune": none_left})(triton.jit(raw))
k_wrong = triton.autotune(make(), ["n"], {"early_config_prune": wrong_dict})(triton.jit(raw))
k_new = triton.autotune(make(), ["n"], {"early_config_prune": rewrite})(triton.jit(raw))
"""


@unittest.skipUnless(PYTHON.exists(), "no interpreter with Triton")
class Evaluate(CroqTest):
    def file(self, text: str) -> str:
        path = self.scratch / "k.py"
        path.write_text(text)
        return str(path)

    def test_configs_and_pruners(self) -> None:
        path = self.file(PRUNED)
        ran = croq("outline", path, "--evaluate", "--json", "--shape", "n=1024")
        self.assertEqual(ran.code, 0, ran)
        (one,) = json.loads(ran.out)["files"]
        self.assertIsNone(one["evaluate_error"])
        self.assertEqual(one["evaluated_others"], [])
        kernels = {kernel["name"]: kernel["evaluated"] for kernel in one["kernels"]}
        for name in ("k_none", "k_wrong", "k_new"):
            configs = kernels[name]["configs"]
            self.assertEqual([c["kwargs"]["BLOCK"]["value"] for c in configs], [64, 128])
            self.assertEqual([c["options"]["num_warps"] for c in configs], [4, 4])
        self.assertEqual([c["kwargs"]["BLOCK"]["value"] for c in kernels["k_new"]["pruned"]],
                         [128, 256])
        warnings = [w for w in one["warnings"] if w["code"] == "pruner"]
        self.assertEqual([w["line"] for w in warnings], [30, 31])
        self.assertIn("pruner removed all 2 configs at n=1024", warnings[0]["message"])
        self.assertIn("a bug of its own: KeyError: 'BLOCK'", warnings[1]["message"])
        self.assertIn(f"({path}:19 in wrong_dict)", warnings[1]["message"])

        text = croq("outline", path, "--evaluate", "--shape", "n=1024").out
        self.assertIn("    evaluated: 2 configs\n      BLOCK=64, num_ctas=1,", text)
        self.assertIn("    after pruning: 2 configs\n      BLOCK=128,", text)

    def test_a_list_that_is_cut_says_so(self) -> None:
        path = self.file(KERNEL.replace("(64, 128)", "range(1, 5003)"))
        ran = croq("outline", path, "--evaluate")
        self.assertIn("evaluated: at least 5000 configs\n", ran.out)
        self.assertIn("and 4984 more (--json has the first 5000)\n", ran.out)
        told = json.loads(croq("outline", path, "--evaluate", "--json").out)
        self.assertTrue(told["files"][0]["kernels"][0]["evaluated"]["cut"])

    def test_a_file_that_cannot_be_imported(self) -> None:
        ran = croq("outline", self.file("import no_such_thing\n" + KERNEL), "--evaluate")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("kernel scale", ran.out)
        self.assertIn("k.py: importing it failed: ModuleNotFoundError: No module named "
                      "'no_such_thing'", ran.err)


if __name__ == "__main__":
    unittest.main()
