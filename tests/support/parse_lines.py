"""Answers lines on standard input (base64 of a Python source) with lines of JSON: the reply."""

import json
import sys

from croq_worker.syntax_tree import parse_reply

for line in sys.stdin:
    print(json.dumps(parse_reply({"source": "x.py", "bytes": line.strip()})), flush=True)
