#!/usr/bin/env python3
"""Checks case files, or those of folders, against corpus/case.schema.json. Prints one line per finding and
exits 1 if there is any."""

import json
import pathlib
import sys

import jsonschema

SCHEMA = pathlib.Path(__file__).resolve().parent.parent / "corpus" / "case.schema.json"


def main(paths):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    files = []
    for path in map(pathlib.Path, paths):
        files += sorted(path.glob("*.json")) if path.is_dir() else [path]
    findings = 0
    for file in files:
        for error in validator.iter_errors(json.loads(file.read_text(encoding="utf-8"))):
            print(f"{file}: {error.json_path}: {error.message[:200]}")
            findings += 1
    print(f"{len(files)} cases checked")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
