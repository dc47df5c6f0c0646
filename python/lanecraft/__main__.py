"""The command line: `lanecraft doctor [MODULE]...`."""

from __future__ import annotations

import argparse
import sys

from . import __version__, doctor


def main(arguments: list[str] | None = None) -> int:
    """Runs a command. 0: all is fine."""
    parser = argparse.ArgumentParser(prog="lanecraft", description="Tools for Python modules that are built with Lanecraft.")
    parser.add_argument("--version", action="version", version=f"lanecraft {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("doctor", help="name what is missing or does not fit")
    command.add_argument("modules", nargs="*", metavar="MODULE", help="modules to import and look at, for example fastops")
    chosen = parser.parse_args(arguments)
    found = doctor(*chosen.modules)
    for finding in found:
        print(finding)
    return 0 if all(finding.fine for finding in found) else 1


if __name__ == "__main__":
    sys.exit(main())
