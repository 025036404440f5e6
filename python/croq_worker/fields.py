"""Typed look-ups in a decoded message, with errors that name the field."""

from __future__ import annotations

from typing import Any, Mapping


class MessageError(Exception):
    """A message that lacks a field or has one of another type: the sender's fault."""


_MISSING = object()
_WORDS = {str: "a string", int: "a whole number", bool: "true or false", float: "a number",
          list: "a list", dict: "an object"}


def get(message: Mapping[str, Any], name: str, kind: type, default: Any = _MISSING) -> Any:
    """The value of field `name`, which must be of type `kind` (a float takes an int as well).

    An absent field yields `default` where one is given. Raises MessageError otherwise.
    """
    value = message.get(name, _MISSING)
    if value is _MISSING:
        if default is _MISSING:
            raise MessageError(f"field '{name}' is missing")
        return default
    # bool is an int to Python, but not to the protocol.
    fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not fits:
        raise MessageError(f"field '{name}': expected {_WORDS[kind]}, found {_describe(value)}")
    return value


def objects(message: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """A list of objects."""
    values = get(message, name, list)
    for index, value in enumerate(values):
        if not isinstance(value, dict):
            raise MessageError(f"field '{name}[{index}]': expected an object, "
                               f"found {_describe(value)}")
    return values


def whole_numbers(message: Mapping[str, Any], name: str) -> list[int]:
    """A list of whole numbers that are not negative."""
    values = get(message, name, list)
    for index, value in enumerate(values):
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise MessageError(f"field '{name}[{index}]': expected a whole number, "
                               f"found {_describe(value)}")
    return values


def integers(message: Mapping[str, Any], name: str) -> dict[str, int]:
    """An object whose values are whole numbers; true and false count as 1 and 0."""
    values = get(message, name, dict)
    for key, value in values.items():
        if not isinstance(value, int):
            raise MessageError(f"field '{name}.{key}': expected a whole number, "
                               f"found {_describe(value)}")
    return {key: int(value) for key, value in values.items()}


def _describe(value: Any) -> str:
    if value is None:
        return "null"
    for kind in (bool, str, int, float, list, dict):
        if isinstance(value, kind):
            return _WORDS[kind]
    return type(value).__name__
