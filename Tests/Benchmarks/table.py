"""The tables in `Docs/Performance.md`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from archives import SIZES
from measuring import Missing, Results
from readers import COLUMNS, FLOOR, GOALS, READERS, Goal, Reader


def line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def measured(goal: Goal, results: Results) -> str | None:
    """Returns the measurement for a goal, or `None` if it is missing."""
    try:
        return goal.figure(results)
    except Missing:
        return None


def goals(results: Results) -> list[str]:
    rows = [(goal.title, f"at most {goal.bound}", measured(goal, results)) for goal in GOALS]
    lines = [line(row) for row in rows if row[2] is not None]
    return ["| | goal | measured |", "| --- | --- | --- |", *lines] if lines else []


def comparison(results: Results, value: Callable[[Reader, str], str]) -> list[str]:
    """Formats a row for each reader and a column for each measured archive."""
    columns = [size for size in COLUMNS if results.runs.get((FLOOR.key, size))]

    def cell(reader: Reader, size: str) -> str:
        if results.has_failed(reader.key, size):
            return "fails"
        try:
            return value(reader, size)
        except Missing:
            return "–"

    rows = [
        line([reader.title, *(cell(reader, size) for size in columns)])
        for reader in READERS if reader.is_listed and any(results.runs.get((reader.key, size)) for size in columns)
    ]
    return [line(["", *(SIZES[size].title for size in columns)]), line(["---"] + ["--:"] * len(columns)), *rows]


def tables(results: Results) -> str:
    """Returns all measurements as Markdown."""
    def ratio(reader: Reader, size: str) -> str:
        return f"{results.ratio(reader.key, size, FLOOR.key):.2f}"

    def memory(reader: Reader, size: str) -> str:
        return f"{results.memory(reader.key, size) / 1e6:,.0f}"

    parts = [
        goals(results),
        ["Time, as a multiple of the floor:"], comparison(results, ratio),
        ["Peak memory, in MB:"], comparison(results, memory),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def rows(text: str) -> Iterable[tuple[str, tuple[str, str, str], list[str], list[str]]]:
    """Returns each line with its key, the columns of its table and its cells. The key is the text above the table, the
    row to which `the same` refers, and the title of the row. Lines outside tables have no cells."""
    heading, named, columns = "", "", []
    for text_line in text.split("\n"):
        cells = [cell.strip() for cell in text_line.split("|")[1:-1]]
        if not cells:
            heading, columns = text_line or heading, []
        elif not columns:
            columns, cells = cells, []
        title = cells[0] if cells else ""
        if not title.removeprefix("**Relay**: ").startswith("the same"):
            named = title
        yield text_line, (heading, named, title), columns, cells


def merged(old: str, new: str) -> str:
    """Returns the old tables with the cells that were measured again."""
    measured = {
        (*key, column): cell for _, key, columns, cells in rows(new) for column, cell in zip(columns[1:], cells[1:])
        if cell != "–"
    }
    result = []
    for text_line, key, columns, cells in rows(old):
        if cells and key[2] != "---":
            text_line = line([cells[0], *(measured.pop((*key, column), cell)
                                          for column, cell in zip(columns[1:], cells[1:]))])
        result.append(text_line)
    missing = sorted({title for _, _, title, _ in measured} - {"---"})
    if missing:
        raise ValueError(f"The page has no row for {', '.join(missing)}. Measure everything.")
    return "\n".join(result)


def write(text: str, path: Path, mark: str = "measured", is_partial: bool = False) -> None:
    """Inserts tables into a page, between the markers with the given name. If they are partial, other cells remain."""
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    before, is_there, rest = path.read_text(encoding="utf-8").partition(begin)
    old, is_closed, after = rest.partition(end)
    if not is_there or not is_closed:
        raise ValueError(f"{path} does not contain the markers {begin} and {end}.")
    if is_partial:
        text = merged(old.strip("\n"), text)
    path.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
