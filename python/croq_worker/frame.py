"""Frames: a 4-byte little-endian length, then that many bytes of UTF-8 JSON (one object)."""

from __future__ import annotations

import json
import os
import struct
from typing import Any

#: A length above this is a protocol error, not a large message.
MAX_FRAME_BYTES = 64 << 20

_LENGTH = struct.Struct("<I")


class FrameError(Exception):
    """The peer broke the protocol, or died in the middle of a frame."""


def _read_exactly(fd: int, count: int, started: bool) -> bytes | None:
    """Reads `count` bytes; None where the stream ends before the first one of a frame."""
    parts: list[bytes] = []
    missing = count
    while missing:
        part = os.read(fd, min(missing, 1 << 20))
        if not part:
            if not started and missing == count:
                return None
            raise FrameError(f"the stream ended inside a frame, {missing} bytes short")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def read_frame(fd: int) -> dict[str, Any] | None:
    """The next message, or None at the end of the stream.

    Raises FrameError where the stream is torn, the length is over the cap, or the payload is not
    one JSON object.
    """
    head = _read_exactly(fd, _LENGTH.size, started=False)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > MAX_FRAME_BYTES:
        raise FrameError(f"a frame of {length} bytes is over the cap of {MAX_FRAME_BYTES}")
    return decode_payload(_read_exactly(fd, length, started=True) or b"" if length else b"")


def decode_payload(payload: bytes) -> dict[str, Any]:
    """The object that a frame's payload holds. Raises FrameError."""
    try:
        message = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"a frame is not JSON: {error}") from error
    if not isinstance(message, dict):
        raise FrameError(f"a frame holds a {type(message).__name__}, not an object")
    return message


def encode_frame(message: dict[str, Any]) -> bytes:
    """The bytes of one frame. ASCII only, so that no reader meets a broken code point.

    Raises FrameError where the message is over the cap, and ValueError where it holds a number
    that JSON has no word for (those travel as "nan", "inf", "-inf").
    """
    payload = json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii")
    if len(payload) > MAX_FRAME_BYTES:
        raise FrameError(f"a message of {len(payload)} bytes is over the cap of {MAX_FRAME_BYTES}")
    return _LENGTH.pack(len(payload)) + payload


def write_frame(fd: int, message: dict[str, Any]) -> None:
    """Writes one message whole. BrokenPipeError where the peer is gone."""
    data = memoryview(encode_frame(message))
    while data:
        data = data[os.write(fd, data):]
