"""Frames, field look-ups, and what a worker does with messages that make no sense."""

from __future__ import annotations

import json
import os
import signal
import struct
import unittest
from typing import Any

from worker_client import Worker

from croq_worker import fields
from croq_worker.frame import MAX_FRAME_BYTES, FrameError, encode_frame, read_frame, write_frame


def feed(data: bytes) -> int:
    """A descriptor that yields `data` and then ends."""
    read_fd, write_fd = os.pipe()
    os.write(write_fd, data)
    os.close(write_fd)
    return read_fd


class FrameTest(unittest.TestCase):
    def read(self, data: bytes) -> object:
        fd = feed(data)
        try:
            return read_frame(fd)
        finally:
            os.close(fd)

    def test_round_trip(self) -> None:
        message = {"type": "x", "text": "é\n", "list": [1, 2.5, None, True]}
        read_fd, write_fd = os.pipe()
        write_frame(write_fd, message)
        write_frame(write_fd, {})
        os.close(write_fd)
        self.assertEqual(read_frame(read_fd), message)
        self.assertEqual(read_frame(read_fd), {})
        self.assertIsNone(read_frame(read_fd))
        os.close(read_fd)

    def test_bytes_on_the_wire(self) -> None:
        self.assertEqual(encode_frame({"a": 1}), b"\x07\x00\x00\x00" + b'{"a":1}')
        self.assertTrue(encode_frame({"a": "é"}).isascii())

    def test_end_between_frames_is_an_end(self) -> None:
        self.assertIsNone(self.read(b""))

    def test_torn_frames(self) -> None:
        for data in (b"\x01", struct.pack("<I", 5) + b"{}", struct.pack("<I", 5)):
            with self.subTest(data=data), self.assertRaises(FrameError):
                self.read(data)

    def test_refuses_lengths_over_the_cap(self) -> None:
        with self.assertRaisesRegex(FrameError, "over the cap"):
            self.read(struct.pack("<I", MAX_FRAME_BYTES + 1))

    def test_refuses_what_is_no_object(self) -> None:
        for payload in (b"", b"[]", b"1", b"{", b"\xff\xfe", b"[" * 50000):
            with self.subTest(payload=payload[:10]), self.assertRaises(FrameError):
                self.read(struct.pack("<I", len(payload)) + payload)

    def test_never_writes_non_finite_numbers(self) -> None:
        with self.assertRaises(ValueError):
            encode_frame({"a": float("nan")})


class FieldsTest(unittest.TestCase):
    def test_types(self) -> None:
        message = {"i": 3, "b": True, "f": 1.5, "s": "x", "n": None}
        self.assertEqual(fields.get(message, "i", int), 3)
        self.assertEqual(fields.get(message, "i", float), 3.0)
        self.assertIs(fields.get(message, "b", bool), True)
        self.assertEqual(fields.get(message, "absent", int, 7), 7)

    def test_errors_name_the_field(self) -> None:
        message = {"i": 3, "b": True, "n": None}
        for name, kind in (("i", str), ("i", bool), ("b", int), ("b", float), ("n", int),
                           ("absent", int)):
            with self.subTest(name=name, kind=kind):
                with self.assertRaisesRegex(fields.MessageError, f"'{name}'"):
                    fields.get(message, name, kind)


class LoopTest(unittest.TestCase):
    def test_says_what_is_wrong_and_goes_on(self) -> None:
        with Worker("compile") as worker:
            self.assertEqual(worker.hello["type"], "hello")
            self.assertEqual(worker.hello["worker"], "compile")
            self.assertEqual(worker.hello["pid"], worker.process.pid)
            self.assert_errors(worker, {"type": "dance"}, {}, {"type": "compile"})
            self.assertEqual(worker.stop(), 0)
            left = [path.name for path in (worker.path / "cache").iterdir()]
            self.assertEqual(left, [], "the worker's folder stayed behind")
        with Worker("parse") as worker:
            self.assert_errors(worker, {"type": "parse"},
                               {"type": "parse", "source": "x.py", "bytes": "?"})
            self.assertTrue(worker.ask({"type": "parse", "source": "x.py", "bytes": "eA=="})["ok"])
            self.assertEqual(worker.stop(), 0)

    def assert_errors(self, worker: Worker, *messages: dict[str, Any]) -> None:
        for message in messages:
            reply = worker.ask(message)
            self.assertEqual(reply["type"], "error", message)
            self.assertTrue(reply["message"])

    def test_a_terminated_worker_cleans_up(self) -> None:
        with Worker("compile") as worker:
            worker.process.terminate()
            self.assertEqual(worker.process.wait(timeout=60), 128 + signal.SIGTERM)
            self.assertEqual(list((worker.path / "cache").iterdir()), [])

    def test_a_torn_frame_ends_the_worker(self) -> None:
        with Worker("compile") as worker:
            os.write(worker.write_fd, struct.pack("<I", 100) + json.dumps({}).encode())
            self.assertEqual(worker.stop(), 1)
            self.assertIn("inside a frame", worker.log())


if __name__ == "__main__":
    unittest.main()
