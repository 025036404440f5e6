"""`python3 bench/compare`: makes the folder a package, whatever the current directory is."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # The folder itself must not be searched: its modules would hide others of the same name.
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from compare.command import main

    sys.exit(main(sys.argv[1:]))
