"""The command line: `lanecraft doctor`, `new`, `stubs`, `emit`, `ptx`, `bench`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from shlex import quote

from . import __version__, doctor
from ._bench import bench
from ._emit import emit
from ._new import checkout, new
from ._ptx import ARCHITECTURES, pack
from ._stubs import differences, write


def main(arguments: list[str] | None = None) -> int:
    """Runs a command. 0: all is fine."""
    chosen = _parser().parse_args(arguments)
    if chosen.command == "doctor":
        found = doctor(*chosen.modules)
        for finding in found:
            print(finding)
        return 0 if all(finding.fine for finding in found) else 1
    try:
        return _run(chosen)
    except (OSError, ImportError, TypeError, ValueError, RuntimeError) as error:
        print(f"lanecraft {chosen.command}: {error}", file=sys.stderr)
        return 1


def _run(chosen: argparse.Namespace) -> int:
    if chosen.command == "new":
        folder = chosen.folder or Path(chosen.name)
        for path in new(chosen.name, folder, chosen.lanecraft or checkout()):
            print(path)
        print(f"next: cd {quote(str(folder))} && pip install '.[test]' && pytest")
    elif chosen.command == "stubs" and chosen.check is not None:
        found = differences(chosen.module, chosen.check)
        print("\n".join(found) or f"the stubs in {chosen.check} are those of {chosen.module}")
        return 1 if found else 0
    elif chosen.command == "stubs":
        for path in write(chosen.module, chosen.out):
            print(path)
    elif chosen.command == "emit":
        for path in emit(chosen.module, chosen.out, chosen.isa):
            print(path)
    elif chosen.command == "ptx":
        print("\n".join(pack(chosen.wheel, tuple(chosen.arch))))
    elif chosen.command == "bench":
        for timing in bench(chosen.module, tuple(chosen.sizes), chosen.kernel):
            print(timing, flush=True)
    return 0


def _size(text: str) -> int:
    size = int(float(text))
    if size < 1:
        raise argparse.ArgumentTypeError("a size is at least 1")
    return size


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lanecraft", description="Tools for Python modules that are built with Lanecraft.")
    parser.add_argument("--version", action="version", version=f"lanecraft {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)

    command = commands.add_parser("doctor", help="name what is missing or does not fit")
    command.add_argument("modules", nargs="*", metavar="MODULE", help="modules to import and look at, for example fastops")

    command = commands.add_parser("new", help="write a crate with one kernel, for pip install")
    command.add_argument("name", metavar="NAME", help="of the crate and of the Python module")
    command.add_argument("--folder", type=Path, help="where to; else a new folder of that name")
    command.add_argument(
        "--lanecraft",
        metavar="FOLDER",
        help="a checkout of Lanecraft to build with; without it, the one that this command was installed from, else the released version",
    )

    command = commands.add_parser("ptx", help="compile the CUDA kernels of a wheel, and put their PTX into it")
    command.add_argument("wheel", type=Path, metavar="WHEEL")
    command.add_argument("--arch", type=int, nargs="+", default=list(ARCHITECTURES), metavar="N", help="90 is compute_90")

    command = commands.add_parser("stubs", help="copy the stubs of an installed module, or compare copies with them")
    command.add_argument("module", metavar="MODULE")
    command.add_argument("--out", type=Path, default=Path("stubs"), metavar="FOLDER", help="where to; else stubs")
    command.add_argument("--check", type=Path, metavar="FOLDER", help="say what differs from the stubs in this folder, and write nothing")

    command = commands.add_parser("emit", help="write the source and the machine code of a module's kernels into a folder")
    command.add_argument("module", metavar="MODULE")
    command.add_argument("--out", type=Path, default=Path("emitted"), metavar="FOLDER", help="where to; else emitted")
    command.add_argument("--isa", help="the CPU level; else the one in use")

    command = commands.add_parser("bench", help="time a module's kernels on random arrays")
    command.add_argument("module", metavar="MODULE")
    command.add_argument("--sizes", type=_size, nargs="+", default=[1_000, 1_000_000], metavar="N", help="elements; else 1000 1e6")
    command.add_argument("--kernel", metavar="TEXT", help="those kernels alone that have it in their names")
    return parser


if __name__ == "__main__":
    sys.exit(main())
