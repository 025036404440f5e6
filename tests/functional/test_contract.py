"""`croq contract show`."""

from __future__ import annotations

import json
import shutil
import subprocess
import unittest

from croq_binary import BINARY, SOURCE, CroqTest, Ran, croq


class ContractShow(CroqTest):
    def test_text_has_every_section(self) -> None:
        ran = croq("contract", "show", "triton")
        self.assertEqual(ran.code, 0, ran)
        for title in ("Environment", "build_iter<NNN>.sh", "run_iter<NNN>.sh",
                      "profile_iter<NNN>.sh", "Verify", "Bench", "Baseline (iter000)", "Allowed",
                      "Forbidden", "Idea menu", "Levers",
                      "Where the contract is not taken to the letter"):
            self.assertIn(f"\n{title}\n", ran.out)

    def test_text_marks_what_goes_beyond(self) -> None:
        out = croq("contract", "show", "triton").out
        self.assertRegex(out, r"BLOCK_M +constant +16\+ 32 64 128 256 ")
        self.assertRegex(out, r"tf32fp32 +max_abs_err < 0\.003 \+")
        self.assertRegex(out, r"bf16fp32 +max_abs_err < 0\.01\n")

    def test_text_shows_readings_with_both_texts(self) -> None:
        out = croq("contract", "show", "triton").out
        self.assertIn("pid = (pid % GROUP_M) * (N // BLOCK_N) + pid // GROUP_M", out)
        self.assertIn("size = min(tiles_m - first, GROUP_M)", out)
        self.assertIn("352 of", out)
        self.assertIn("tl.inline_asm_elementwise", out)

    def test_json(self) -> None:
        ran = croq("contract", "show", "--json")
        self.assertEqual(ran.code, 0, ran)
        contract = json.loads(ran.out)
        self.assertEqual(contract["dsl"]["name"], "triton")
        self.assertEqual(contract["bench"]["warmup"], 10)
        self.assertEqual(contract["bench"]["iterations"], 50)
        self.assertEqual({t["dtype"] for t in contract["verify"]["tolerances"]},
                         {"f16fp32", "bf16fp32", "f32", "tf32fp32", "e4m3fp32",
                          "e4m3fp16fp32"})

    def test_unknown_dsl_lists_those_there_are(self) -> None:
        self.assert_usage_error(croq("contract", "show", "tritn"), "unknown DSL 'tritn'",
                                "there is: triton", "did you mean triton?")

    def test_path_is_no_dsl(self) -> None:
        self.assert_usage_error(croq("contract", "show", "../contracts/triton"), "unknown DSL")


class PackageLayout(CroqTest):
    """croq finds its files from its own place: copied out of the build folder, it is a package."""

    def run_at(self, *arguments: str) -> Ran:
        done = subprocess.run([str(self.program_path), *arguments], capture_output=True, text=True,
                              cwd="/", timeout=60, check=False)
        return Ran(done.returncode, done.stdout, done.stderr)

    def package(self, programs: str, shared: str) -> None:
        """Copies croq to the scratch folder in the layout of a package or of an installation."""
        (self.scratch / programs).mkdir(parents=True, exist_ok=True)
        self.program_path = self.scratch / programs / "croq"
        shutil.copy2(BINARY, self.program_path)
        for name in ("contracts", "python"):
            shutil.copytree(SOURCE / name, self.scratch / shared / name,
                            ignore=shutil.ignore_patterns("__pycache__"))

    def test_one_folder(self) -> None:
        self.package("", "")
        ran = self.run_at("contract", "show", "--json")
        self.assertEqual(ran.code, 0, ran)
        self.assertEqual(json.loads(ran.out)["file"], str(self.scratch / "contracts/triton.toml"))

    def test_prefix(self) -> None:
        self.package("bin", "share/croq")
        ran = self.run_at("contract", "show", "--json")
        self.assertEqual(ran.code, 0, ran)
        self.assertEqual(json.loads(ran.out)["file"],
                         str(self.scratch / "share/croq/contracts/triton.toml"))

    def test_mistake_in_the_file_is_shown_with_its_place(self) -> None:
        self.package("", "")
        file = self.scratch / "contracts/triton.toml"
        lines = file.read_text().splitlines()
        place = lines.index("warmup = 10") + 1
        lines[place - 1] = "warmpu = 10"
        file.write_text("\n".join(lines))
        ran = self.run_at("contract", "show")
        self.assert_usage_error(ran, f"triton.toml:{place}:1: unknown key 'warmpu' in [bench]; "
                                     "did you mean 'warmup'?")

    def test_half_an_installation(self) -> None:
        self.package("", "")
        shutil.rmtree(self.scratch / "contracts")
        ran = self.run_at("contract", "show")
        self.assertEqual(ran.code, 1, ran)
        self.assertIn("not installed whole", ran.err)


if __name__ == "__main__":
    unittest.main()
