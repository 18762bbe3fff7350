"""Runs a part of the response measurements, and formats its tables."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import programs
from measuring import Missing, median_ratio
from table import line

class Figures:
    """The results of a part: values by subject and column, one for each round."""

    def __init__(self, values: dict[str, dict[str, list[float]]]) -> None:
        self.lists = values

    def values(self, subject: str, column: str) -> list[float]:
        try:
            return self.lists[subject][column]
        except KeyError:
            raise Missing from None

    def median(self, subject: str, column: str) -> float:
        return statistics.median(self.values(subject, column))

    def ratio(self, subject: str, other: str, column: str) -> float:
        """The median, over all rounds, of the ratio of one subject to another."""
        return median_ratio(self.values(subject, column), self.values(other, column))

    def growth(self, subject: str, column: str, other: str) -> float:
        """The median, over all rounds, of the ratio of one column to another."""
        return median_ratio(self.values(subject, column), self.values(subject, other))


Figure = Callable[[Figures, str], str]


def microseconds(subject: str) -> Figure:
    return lambda figures, column: f"{figures.median(subject, column) * 1e6:,.0f}"


def milliseconds(subject: str) -> Figure:
    return lambda figures, column: f"{figures.median(subject, column) * 1e3:,.2f}"


def a_second(subject: str) -> Figure:
    return lambda figures, column: f"{1 / figures.median(subject, column):,.0f}"


def megabytes(subject: str) -> Figure:
    # The maximum of all rounds, because later rounds reuse memory that earlier rounds freed.
    return lambda figures, column: f"{max(figures.values(subject, column)) / 1e6:,.1f}"


def floors(subject: str, floor: str) -> Figure:
    return lambda figures, column: f"{figures.ratio(subject, floor, column):.2f}"


@dataclass(frozen=True)
class Goal:
    """A measured value with a bound."""

    title: str
    bound: float
    figure: Callable[[Figures], float]


@dataclass(frozen=True)
class Table:
    """A table with a row for each value and a column for each condition."""

    title: str
    columns: dict[str, str]
    rows: list[tuple[str, Figure]]

    def text(self, figures: Figures) -> str:
        def cell(figure: Figure, column: str) -> str:
            try:
                return figure(figures, column)
            except Missing:
                return "–"

        head = [line(["", *self.columns.values()]), line(["---"] + ["--:"] * len(self.columns))]
        rows = [line([title, *(cell(figure, column) for column in self.columns)]) for title, figure in self.rows]
        return "\n".join([self.title, "", *head, *rows])


@dataclass(frozen=True)
class Part:
    """A group of measurements made by one process."""

    key: str
    #: The archives to pass to the process.
    archives: Sequence[str]
    goals: list[Goal]
    tables: list[Table]
    #: Whether the process needs the address of a server.
    asks_server: bool = False

    def run(self, rounds: int, archives: dict[str, Path]) -> Figures:
        print(f"{self.key}, {rounds} rounds", file=sys.stderr)
        command = [programs.path("answering"), self.key, str(rounds), *(archives[name] for name in self.archives)]
        if not self.asks_server:
            return Figures(json.loads(subprocess.check_output(command)))
        with server() as address:
            return Figures(json.loads(subprocess.check_output([*command, address])))

    def text(self, figures: Figures) -> str:
        """Returns all measurements as Markdown."""
        goals = [line([goal.title, f"at most {goal.bound}", f"{goal.figure(figures):.2f}"]) for goal in self.goals]
        return "\n\n".join([
            "\n".join(["| | goal | measured |", "| --- | --- | --- |", *goals]),
            *(table.text(figures) for table in self.tables),
        ])


@contextmanager
def server() -> Iterator[str]:
    """Runs a live server and provides its address."""
    with subprocess.Popen(
            [programs.path("server")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/item"
        finally:
            process.stdin.close()
