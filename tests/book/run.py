"""Runs the Python of Markdown pages: `python` blocks as programs, `pycon` blocks as doctests, all of a page with the same names.

A block with `ignore` behind its language is another project's, or needs what is not there. What fails is told with its line.
"""

import contextlib
import doctest
import io
import re
import sys
import traceback
from pathlib import Path

BLOCK = re.compile(r"^```(python|pycon)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run(page: Path) -> tuple[int, int]:
    """How many blocks passed and failed."""
    text = page.read_text()
    names: dict[str, object] = {"__name__": "book"}
    passed = failed = 0
    for match in BLOCK.finditer(text):
        language, options, code = match.groups()
        if options:  # `ignore`, or a file's name: the README's are written and run by their own test
            continue
        line = text[: match.start(3)].count("\n") + 1
        good = (console if language == "pycon" else program)(page, line, code, names)
        passed, failed = passed + good, failed + (not good)
    return passed, failed


def console(page: Path, line: int, code: str, names: dict[str, object]) -> bool:
    # doctest clears the names that it is given.
    test = doctest.DocTestParser().get_doctest(code, dict(names), page.name, str(page), line - 1)
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(test, clear_globs=False)
    names.update(test.globs)
    return result.failed == 0


def program(page: Path, line: int, code: str, names: dict[str, object]) -> bool:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
    except Exception:
        print(f"{page}: the block of line {line} failed, having printed {printed.getvalue()!r}")
        traceback.print_exc(file=sys.stdout)
        return False
    return True


def main(pages: list[str]) -> int:
    passed = failed = 0
    for page in pages:
        counts = run(Path(page))
        passed, failed = passed + counts[0], failed + counts[1]
    # In pytest's words, which `cargo xtask test` counts.
    print(f"{failed} failed, {passed} passed in 0s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
