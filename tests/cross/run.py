#!/usr/bin/env python3
"""
core/ on other processors: the same bits everywhere.

    run.py [--all] [--keep FOLDER] [BUILD ...]

Builds core/ without Python by meson for each machine below, by the cross compilers of Debian's
packages (gcc-s390x-linux-gnu, g++-s390x-linux-gnu, and so on), and runs two programs there, on
other processors by QEMU's user mode (qemu-user):

* facts.c tests what can be said without comparing: bytes of packed forms, the sign of NaN, an
  element over itself, long double against float64, text that reads back.
* digest.c prints a hash of the results for each pair of types and mode, of packed forms, text and
  limits, over the same inputs. All machines must print what this one does.

What is not installed is skipped and named; with --all that is a failure. Exits with 1 if anything
differs.
"""

import argparse
import ast
import configparser
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


@dataclass(frozen=True)
class Build:
    """A way to compile core/, and what there is to learn from it."""

    name: str
    why: str
    options: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    wrapper: tuple[str, ...] = ()


def cross(machine: str, why: str) -> Build:
    path = HERE / f"{machine}.ini"
    file = configparser.ConfigParser()
    file.read(path)
    binaries = {name: ast.literal_eval(text) for name, text in file["binaries"].items()}
    wrapper = tuple(binaries["exe_wrapper"])
    needs = (binaries["c"], binaries["cpp"], wrapper[0])
    return Build(machine, why, (f"--cross-file={path}",), {}, needs, wrapper)


BUILDS = [
    Build("gcc", "this processor, and what the others must equal", (), {"CC": "gcc", "CXX": "g++"},
          ("gcc", "g++")),
    Build("clang", "another compiler", (), {"CC": "clang", "CXX": "clang++"}, ("clang", "clang++")),
    Build("sanitized", "a long double of 8 bytes, and nothing out of bounds",
          ("-Dc_args=-mlong-double-64", "-Dcpp_args=-mlong-double-64",
           "-Db_sanitize=address,undefined", "-Db_lundef=false"),
          {"CC": "gcc", "CXX": "g++"}, ("gcc", "g++")),
    cross("aarch64", "a long double of 113 bits"),
    cross("s390x", "big-endian"),
    cross("riscv64", "conversions lose the sign of NaN"),
    cross("ppc64le", "long double is a pair of float64"),
    cross("armhf", "32 bits, a long double of 8 bytes"),
    cross("i686", "32 bits, x87 arithmetic"),
]  # fmt: skip

# Targets that emulated x86-64 processors must choose from: what a target's code may use must be
# there. (QEMU has no AVX-512; facts.c tries that list by itself.)
PROCESSORS = {
    "Haswell": ["baseline", "x86_v3"],
    **{f"Haswell,-{feature}": ["baseline"]
       for feature in ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"]},
    "Nehalem": ["baseline"],
    **{f"Nehalem,-{feature}": []
       for feature in ["pni", "ssse3", "sse4.1", "sse4.2", "popcnt", "cx16", "lahf-lm"]},
}  # fmt: skip


class Failure(Exception):
    """What is to be shown of a build that went wrong."""


def run(*command: object, environment: dict[str, str] | None = None) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    # An emulator tells what it cannot do of the model asked for.
    errors = [line for line in done.stderr.splitlines() if "TCG doesn't support" not in line]
    if done.returncode or errors:
        shown = "\n".join([*done.stdout.splitlines(), *errors][-40:])
        raise Failure(f"{' '.join(words)}: exit code {done.returncode}\n{shown}")
    return done.stdout


def digests(build: Build, folder: Path) -> dict[str, str]:
    """By the name of each target that runs; the folder keeps what was built."""
    setup = ["--buildtype=release", "-Dpython=false", *build.options]
    run("meson", "setup", *setup, folder, ROOT, environment=build.environment)
    run("meson", "compile", "-C", folder, "-j", 1)
    facts, digest = (folder / "tests" / "cross" / name for name in ("facts", "digest"))
    found = {}
    for target in run(*build.wrapper, digest, "--targets").split():
        run(*build.wrapper, facts, target)
        found[target] = run(*build.wrapper, digest, target)
    return found


def difference(wanted: str, got: str) -> str:
    pairs = list(zip(wanted.splitlines(), got.splitlines(), strict=False))
    lines = [f"  {a}  (here: {b})" for a, b in pairs if a != b]
    more = [f"  ... {len(lines) - 10} lines more"] if len(lines) > 10 else []
    counts = f"  {len(wanted.splitlines())} lines, here {len(got.splitlines())}"
    return "\n".join([*lines[:10], *more] or [counts])


def check_processors(digest: Path) -> None:
    for model, expected in PROCESSORS.items():
        found = run("qemu-x86_64", "-cpu", model, digest, "--targets").split()
        if found != expected:
            raise Failure(f"on a processor {model} these targets are chosen from: {found}")


def missing(build: Build) -> list[str]:
    return [program for program in build.needs if shutil.which(program) is None]


def main() -> int:
    parser = argparse.ArgumentParser(description="core/ on other processors")
    parser.add_argument(
        "builds", nargs="*", metavar="BUILD", help=", ".join(b.name for b in BUILDS)
    )
    parser.add_argument("--all", action="store_true", help="fail if anything is not installed")
    parser.add_argument("--keep", type=Path, help="build in this folder and leave it")
    args = parser.parse_args()
    names = {b.name for b in BUILDS}
    if unknown := set(args.builds) - names:
        parser.error(f"no build {', '.join(sorted(unknown))}; there are {', '.join(sorted(names))}")
    chosen = [b for b in BUILDS if b.name in {"gcc", *(args.builds or names)}]

    failed = False
    ready = []
    for build in chosen:
        if absent := missing(build):
            print(f"{build.name}: skipped, {', '.join(absent)} not installed")
            failed = failed or args.all
        else:
            ready.append(build)
    with tempfile.TemporaryDirectory() as temporary:
        place = (args.keep or Path(temporary)).resolve()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            tasks = {b.name: pool.submit(digests, b, place / b.name) for b in ready}
            reference = ""
            for build in ready:
                try:
                    found = tasks[build.name].result()
                    reference = reference or next(iter(found.values()))
                    for target, digest in found.items():
                        if digest != reference:
                            raise Failure(f"target {target}\n{difference(reference, digest)}")
                except Failure as failure:
                    print(f"{build.name} ({build.why}): FAILED: {failure}", flush=True)
                    failed = True
                else:
                    lines = len(reference.splitlines())
                    print(f"{build.name} ({build.why}): {lines} digests equal, targets "
                          f"{', '.join(found)}", flush=True)  # fmt: skip
        if platform.machine() == "x86_64" and shutil.which("qemu-x86_64"):
            try:
                check_processors(place / "gcc" / "tests" / "cross" / "digest")
            except Failure as failure:
                print(f"x86-64 processors: FAILED: {failure}")
                failed = True
            else:
                print(f"x86-64 processors: {len(PROCESSORS)} models choose rightly")
    return failed


if __name__ == "__main__":
    sys.exit(main())
