"""croq's Python side: compiles, captures and interprets Triton kernels for the engine.

Each mode is a process of its own (``python -m croq_worker MODE --read-fd 3 --write-fd 4``) that
answers framed JSON requests until the engine closes its end. See ARCHITECTURE.md, "Processes".
"""

#: Version of croq; the engine refuses a worker of another one.
__version__ = "0.1.0"

#: Version of the wire format.
PROTOCOL = 1
