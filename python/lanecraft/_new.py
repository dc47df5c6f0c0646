"""`lanecraft new`: a crate with one kernel, which `pip install .` makes a Python module of."""

from __future__ import annotations

import json
import keyword
import re
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from shlex import quote
from string import Template
from urllib.parse import urlparse
from urllib.request import url2pathname

_FILES = (
    "Cargo.toml",
    "pyproject.toml",
    "build.rs",
    "src/lib.rs",
    "tests/test_kernels.py",
    ".github/workflows/ci.yml",
    ".gitignore",
)


def checkout() -> str | None:
    """The checkout that this package was installed from (`pip install ./python`), which then is what crates are to be built with."""
    try:
        url = json.loads(distribution("lanecraft").read_text("direct_url.json") or "{}").get("url", "")
    except PackageNotFoundError:
        return None
    root = Path(url2pathname(urlparse(url).path)).parent
    manifest = root / "Cargo.toml"
    is_ours = url.startswith("file:") and manifest.is_file() and 'name = "lanecraft"' in manifest.read_text()
    return str(root) if is_ours else None


def new(name: str, folder: Path, lanecraft: str | None = None) -> list[Path]:
    """Writes the crate `name` into a new or empty folder, to be built with the checkout `lanecraft`, or else with the released version."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        near = re.sub(r"[^a-z0-9_]", "_", name.lower()).lstrip("_0123456789")
        instead = f": lanecraft new {near} --folder {quote(str(folder))}" if near and not keyword.iskeyword(near) else ""
        raise ValueError(
            f"{name!r} cannot be the name of a Python module and of a crate; accepted: lower-case letters, digits and _{instead}"
        )
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is there already, and not empty")
    source = 'version = "0.1"' if lanecraft is None else f'path = "{Path(lanecraft).resolve().as_posix()}"'
    template = files(__package__).joinpath("template")
    written = []
    for file in _FILES:
        # Under names that no tool takes for its own: it would find a crate, a test, a workflow in this package.
        text = template.joinpath(*f"{file}.in".replace(".github", "github").replace(".git", "git").split("/")).read_text()
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(text).substitute(name=name, lanecraft=source))
        written.append(target)
    return written
