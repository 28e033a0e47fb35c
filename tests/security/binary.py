"""What a linker and a compiler did for a shared library, by what readelf says of it.

As a program: looks at the file that is its argument, and fails if there is anything to report.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

EXPORTED = {"PyInit__core"}
SANITIZERS = re.compile(r"__(asan|ubsan|tsan|msan)_")


def is_elf(path):
    return Path(path).read_bytes()[:4] == b"\x7fELF"


def why_not(path):
    """The reason that nothing can be said of the file, or None."""
    if not is_elf(path):
        return f"{Path(path).name} is not an ELF file"
    if shutil.which("readelf") is None:
        return "readelf is not installed"
    return None


def readelf(path, *options):
    command = ["readelf", "--wide", *options, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def dynamic_symbols(path):
    """(name without its version, type, binding, is it defined) of each."""
    found = []
    for line in readelf(path, "--dyn-syms").splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[0][:-1].isdigit():
            _, _, _, kind, binding, _, section, name = fields[:8]
            found.append((name.split("@")[0], kind, binding, section != "UND"))
    return found


def exported(path):
    return {name for name, _, binding, defined in dynamic_symbols(path)
            if defined and binding != "LOCAL"}  # fmt: skip


def imported(path):
    return {name for name, _, _, defined in dynamic_symbols(path) if not defined}


def faults(path):
    """A sentence for each thing that is missing."""
    segments, dynamic = readelf(path, "--program-headers"), readelf(path, "--dynamic")
    names = imported(path)
    found = []
    if exported(path) != EXPORTED:
        found.append(f"exports {sorted(exported(path))[:9]}, not only {sorted(EXPORTED)}")
    if any(binding == "UNIQUE" for _, _, binding, _ in dynamic_symbols(path)):
        found.append("has a symbol that is unique in the process (STB_GNU_UNIQUE)")
    if "GNU_RELRO" not in segments:
        found.append("has no segment that becomes read-only (RELRO)")
    if not re.search(r"\(FLAGS\).*BIND_NOW|\(BIND_NOW\)", dynamic):
        found.append("binds symbols lazily (no BIND_NOW), so its table of addresses stays writable")
    if not re.search(r"GNU_STACK.*\sRW\s", segments):
        found.append("has an executable stack")
    if re.search(r"\((RPATH|RUNPATH|TEXTREL)\)", dynamic):
        found.append("has a path for libraries, or relocations in its code")
    if any(SANITIZERS.match(name) for name in names):
        return found  # built without what follows
    if not any(name.startswith("__stack_chk") for name in names):
        found.append("has no function with a guarded stack (-fstack-protector-strong)")
    has_glibc = any("GLIBC_" in line for line in readelf(path, "--version-info").splitlines())
    if has_glibc and not any(re.fullmatch(r"__(?!stack_)\w+_chk", name) for name in names):
        found.append("calls no checked function of the C library (_FORTIFY_SOURCE)")
    return found


if __name__ == "__main__":
    reason = why_not(sys.argv[1])
    sys.exit(reason or "\n".join(faults(sys.argv[1])) or None)
