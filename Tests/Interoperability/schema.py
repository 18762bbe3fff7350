"""Checks archives against the JSON schema of HAR 1.2 beside this file: schema.py ARCHIVE..."""

import json
import pathlib
import sys

import jsonschema

SCHEMA = json.loads((pathlib.Path(__file__).parent / "har-1.2.schema.json").read_text())


def deviations(archive):
    """What of an archive is not as the schema says, a line for each."""
    checker = jsonschema.FormatChecker()
    validator = jsonschema.Draft202012Validator(SCHEMA, format_checker=checker)
    document = json.loads(pathlib.Path(archive).read_text("utf-8"))
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(document)]


def main(archives):
    found = [f"{archive}: {line}" for archive in archives for line in deviations(archive)]
    print("\n".join(found) or f"{len(archives)} archives are as the schema says.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
