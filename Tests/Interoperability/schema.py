"""Validates archives with the JSON schema of HAR 1.2 in this folder: schema.py ARCHIVE..."""

import json
import pathlib
import sys

import jsonschema

SCHEMA = json.loads((pathlib.Path(__file__).parent / "har-1.2.schema.json").read_text())


def deviations(archive):
    """Returns violations of the schema, one per line."""
    checker = jsonschema.FormatChecker()
    validator = jsonschema.Draft202012Validator(SCHEMA, format_checker=checker)
    document = json.loads(pathlib.Path(archive).read_text("utf-8"))
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(document)]


def main(archives):
    found = [f"{archive}: {line}" for archive in archives for line in deviations(archive)]
    print("\n".join(found) or f"{len(archives)} archives are valid.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
