"""The command line itself: help, version, what is no command."""

from __future__ import annotations

import re
import subprocess
import unittest

from croq_binary import BINARY, CroqTest, croq


class CommandLine(CroqTest):
    def test_version(self) -> None:
        ran = croq("--version")
        self.assertEqual(ran.code, 0, ran)
        self.assertRegex(ran.out, r"^croq \d+\.\d+\.\d+\n$")

    def test_help_shows_an_example(self) -> None:
        ran = croq("--help")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("croq tune matmul_f16fp32_4096x4096x4096", ran.out)
        self.assertEqual(ran.err, "")

    def test_every_command_has_help_with_an_example(self) -> None:
        listed = croq("--help").out
        commands = re.findall(r"^  ([a-z]+) +[A-Z]", listed[listed.index("Subcommands:"):], re.M)
        self.assertIn("doctor", commands)
        for command in commands:
            ran = croq(command, "--help")
            self.assertEqual(ran.code, 0, ran)
            if "Subcommands:" not in ran.out:
                self.assertIn(f"croq {command}", ran.out, command)

    def test_without_arguments_shows_the_help(self) -> None:
        ran = croq()
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("Subcommands:", ran.err)

    def test_unknown_command_names_the_near_one(self) -> None:
        self.assert_usage_error(croq("doctr"), "unknown command 'doctr'", "did you mean doctor?")

    def test_unknown_option_names_the_help_to_read(self) -> None:
        self.assert_usage_error(croq("doctor", "--jsn"), "--jsn", "croq doctor --help")

    def test_option_without_its_value(self) -> None:
        self.assert_usage_error(croq("doctor", "--device"), "--device")

    def test_full_output_device_is_an_error(self) -> None:
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([str(BINARY), "contract", "show"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^croq: cannot write .*: No space left on device\n$")


if __name__ == "__main__":
    unittest.main()
