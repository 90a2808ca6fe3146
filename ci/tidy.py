#!/usr/bin/env python3
"""Checks of the sources that no compiler makes: which folder may include which, who may see which
library, file lengths, marks of unfinished work, tests that cannot fail. Prints one line per finding
and exits 1 if there is any."""

import pathlib
import re
import shutil
import subprocess
import sys

# A folder may include itself and those it names here. tests/ may include anything.
LAYERS = {
    "engine": set(),
    "generators": {"engine"},
    "corpus": {"engine"},
    "properties": {"engine"},
    "shrinker": {"engine", "generators", "properties"},
    "cli": {"engine", "generators", "corpus", "properties", "shrinker"},
}

# Include prefixes that only some files may use, as patterns of whole paths.
LIBRARIES = {
    "tbb/": [r"engine/parallel_tbb\.cpp"],
    "oneapi/tbb": [r"engine/parallel_tbb\.cpp"],
    "boost/multiprecision": [r"engine/exact\.cpp", r"engine/geometric_mean\.cpp"],
    "tao/": [r"engine/scores/parse_expression\.cpp"],
    "gmp": [r"engine/scores/wide\.cpp"],
    "mpfr": [r"engine/scores/wide\.cpp"],
    "dlfcn.h": [r"engine/plugin/plugin_library\.cpp"],
    "nlohmann/": [r"corpus/[^/]+\.cpp", r"corpus/strict_json\.h", r"cli/[^/]*_report\.cpp", r"cli/batch_line\.cpp", r"cli/json_number\.h"],
    "graphviz/": [r"cli/explain_graph\.cpp"],
    "pugixml": [r"cli/junit_report\.cpp"],
    "rapidcheck": [r"generators/rapidcheck\.(h|cpp)"],
    "CLI/": [r"cli/main\.cpp", r"cli/([^/]*_)?options\.cpp", r"cli/[^/]*_command\.cpp"],
}

LINES_MAX = 600
SOURCE_ENDS = (".h", ".cpp")
TEXT_ENDS = (".h", ".cpp", ".py", ".sh", ".cmake", ".md", ".txt")

# Put together so that this file does not find itself.
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b"
                        + r"|not " + r"imple" + r"mented|\bDISABLED" + "_")
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')
SILENT_SKIP = re.compile(r"GTEST_SKIP\(\)\s*;")


def check_includes(path, lines):
    """Findings about the include lines of one source, whose path is relative to the repository."""
    folder = path.split("/", 1)[0]
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        own, library = found.groups()
        target = own.split("/", 1)[0] if own else ""
        if folder in LAYERS and target not in LAYERS[folder] | {folder, ""}:
            yield f"{path}:{number}: {folder}/ may not include {target}/"
        name = own or library
        for prefix, allowed in LIBRARIES.items():
            if folder in LAYERS and name.startswith(prefix) and not any(re.fullmatch(a, path) for a in allowed):
                yield f"{path}:{number}: <{name}> may not be included here"


def check_source(path, lines):
    if len(lines) > LINES_MAX:
        yield f"{path}: {len(lines)} lines, more than {LINES_MAX}: split it by what it is about"
    is_test = path.startswith("tests/")
    own_header = f'#include "{path.removesuffix(".cpp")}.h"'  # then the header says it
    if not is_test and not (lines and (lines[0].startswith("//") or lines[0] == own_header)):
        yield f"{path}:1: does not open by saying what it is for"
    if path.endswith(".h") and "#pragma once" not in lines:
        yield f"{path}: no #pragma once"
    yield from check_includes(path, lines)
    for number, line in enumerate(lines, 1):
        if SILENT_SKIP.search(line):
            yield f"{path}:{number}: a test is skipped without saying why"
        if line.startswith("using namespace"):
            yield f"{path}:{number}: using namespace at file scope"


def check_text(path, lines):
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            yield f"{path}:{number}: unfinished work: {line.strip()[:80]}"


def check(path, text):
    """All findings about one file."""
    lines = text.splitlines()
    if path.endswith(SOURCE_ENDS):
        yield from check_source(path, lines)
    if path.endswith(TEXT_ENDS):
        yield from check_text(path, lines)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    paths = []
    if shutil.which("git"):
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=False).stdout
        paths = [p for p in listed.decode().split("\0") if p]
    if not paths:  # an exported copy without its history
        paths = [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and "build" not in p.parts]
    findings = []
    for path in sorted(paths):
        if path.endswith(TEXT_ENDS) and (root / path).exists():
            findings += check(path, (root / path).read_text(encoding="utf-8"))
    for finding in findings:
        print(finding)
    print(f"tidy: {len(paths)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
