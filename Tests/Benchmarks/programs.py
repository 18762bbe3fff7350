"""Builds and locates the measured programs, including third-party programs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
BUILT = REPOSITORY / ".build" / "benchmarks"
WITHOUT_YAJL = REPOSITORY / ".build" / "without-yajl"
PAGE = REPOSITORY / "Docs" / "Performance.md"
PYTHON = BUILT / "venv" / "bin" / "python"

HEADERS = [Path(folder) for folder in ("/usr/include", "/usr/local/include", "/opt/homebrew/include")]


def has_header(name: str) -> bool:
    return any((folder / name).exists() for folder in HEADERS)


def provide() -> None:
    """Installs missing tools if no confirmation is needed."""
    wanted = {
        "libyajl-dev": has_header("yajl/yajl_parse.h"), "libsimdjson-dev": has_header("simdjson.h"),
        "jq": shutil.which("jq"), "nodejs": shutil.which("node"), "ripgrep": shutil.which("rg"),
    }
    missing = [package for package, is_there in wanted.items() if not is_there]
    if missing and shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-qq"], stdout=subprocess.DEVNULL)
        for package in missing:
            subprocess.run(["apt-get", "install", "-y", "-qq", package], stdout=subprocess.DEVNULL)


def compile_c(name: str, *options: str, needs: str = "") -> None:
    """Compiles one file in `Programs/`, unless a header is missing."""
    (BUILT / "bin").mkdir(parents=True, exist_ok=True)
    source = next((HERE / "Programs").glob(f"{name}.c*"))
    compiler = ["c++", "-std=c++17"] if source.suffix == ".cpp" else ["cc"]
    if not needs or has_header(needs):
        subprocess.run([*compiler, "-O2", "-o", BUILT / "bin" / name, source, *options], check=True)


def build_swift(package: Path, *options: str, environment: dict[str, str] | None = None) -> None:
    command = ["swift", "build", "--configuration", "release", "--package-path", package, *options]
    subprocess.run(command, check=True, stdout=sys.stderr, env=os.environ | (environment or {}))


def build() -> None:
    """Builds everything, except programs with missing dependencies."""
    provide()
    build_swift(HERE, "--scratch-path", str(BUILT))
    build_swift(REPOSITORY, "--product", "har")
    build_swift(HERE, "--scratch-path", str(WITHOUT_YAJL / "benchmarks"), "--product", "Reading",
                environment={"RELAY_WITHOUT_YAJL": "1"})
    build_swift(REPOSITORY, "--scratch-path", str(WITHOUT_YAJL / "har"), "--product", "har", "--disable-default-traits")
    compile_c("measure")
    compile_c("yajl", "-lyajl", needs="yajl/yajl_parse.h")
    compile_c("simdjson", "-lsimdjson", needs="simdjson.h")
    if not PYTHON.exists():
        venv.create(BUILT / "venv", with_pip=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "orjson", "ijson", "duckdb"])


def build_answering() -> None:
    """Builds only the programs that measure responses."""
    if not has_header("yajl/yajl_parse.h"):
        provide()
    build_swift(HERE, "--scratch-path", str(BUILT), "--product", "Answering")
    compile_c("server", "-pthread")


def build_recording() -> None:
    """Builds only the programs that measure recording."""
    if not has_header("yajl/yajl_parse.h"):
        provide()
    build_swift(HERE, "--scratch-path", str(BUILT), "--product", "Recording")


def build_recorders() -> None:
    """Builds only the programs that measure recorders of requests."""
    if not has_header("yajl/yajl_parse.h"):
        provide()
    build_swift(HERE, "--scratch-path", str(BUILT), "--product", "Recorders")
    build_swift(REPOSITORY, "--product", "har")
    compile_c("server", "-pthread")


def path(name: str) -> str | None:
    """Returns the path of a built or installed program, or `None` if it is missing."""
    own = {
        "reading-without-yajl": WITHOUT_YAJL / "benchmarks" / "release" / "Reading",
        "har-without-yajl": WITHOUT_YAJL / "har" / "release" / "har",
        "reading": BUILT / "release" / "Reading", "answering": BUILT / "release" / "Answering",
        "decodable": BUILT / "release" / "Decodable", "recording": BUILT / "release" / "Recording",
        "recorders": BUILT / "release" / "Recorders", "python": PYTHON,
        "har": REPOSITORY / ".build" / "release" / "har", "yajl": BUILT / "bin" / "yajl",
        "simdjson": BUILT / "bin" / "simdjson", "server": BUILT / "bin" / "server", "measure": BUILT / "bin" / "measure",
    }
    if name in own:
        return str(own[name]) if own[name].exists() else None
    return shutil.which(name)
