"""A matrix (or number) as plain data: written out, diagonal, drawn at random, read from a file, or changing in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .reading import as_table, bad, choice, many, meant, number, numbers, part, positive, rows, section, text, whole

ENSEMBLES = ("gaussian", "uniform", "goe", "psd", "orthogonal")


@dataclass(frozen=True)
class Drawn:
    r"""A random matrix of the scenario's seed, `rows` × d.

    gaussian: entries $N(0, c^2)$; uniform: entries in $[-c, c]$; goe: $c(G + G^\top)/\sqrt{2d}$, spectrum in about
    $[-2c, 2c]$; psd: $c\,GG^\top/d$; orthogonal: $c$ times a Haar rotation or reflection. `scale` is c.
    """

    random: str = part(choice(*ENSEMBLES))
    rows: int | None = part(whole)
    scale: float = part(positive, 1.0)


@dataclass(frozen=True)
class Diagonal:
    diagonal: tuple[float, ...] = part(numbers)


@dataclass(frozen=True)
class Stored:
    """Numbers in a .npy or .csv file, looked for beside the scenario."""

    file: str = part(text)


def plain(value, place):
    if isinstance(value, list | tuple):
        return rows(value, place)
    return number(value, place)


@dataclass(frozen=True)
class Course:
    """Values at given times, joined by straight lines, constant outside."""

    times: tuple[float, ...] = part(numbers)
    values: tuple = part(many(plain))


Matrix: TypeAlias = "float | tuple[tuple[float, ...], ...] | Drawn | Diagonal | Stored | Course"
FORMS = {"random": Drawn, "diagonal": Diagonal, "file": Stored, "times": Course}
NEED = (
    'a number, a list of rows, or a table {random = "…"}, {diagonal = […]}, {file = "…"}, {times = […], values = […]}'
)


def matrix(value, place) -> Matrix:
    """Read a matrix in any of its forms."""
    if isinstance(value, dict):
        return _form(value, place, FORMS)
    if isinstance(value, list | tuple):
        return rows(value, place)
    if isinstance(value, str):
        raise bad(place, value, f"must be {NEED}")
    return number(value, place)


def scalar(value, place):
    """Read a number, or its course in time."""

    return _form(value, place, {"times": Course}) if isinstance(value, dict) else number(value, place)


def _form(value, place, forms):
    key = next((key for key in forms if key in as_table(value, place)), None)
    if key is None:
        raise bad(place, value, f"must be {NEED}{''.join(meant(word, forms) for word in list(value)[:1])}")
    made = section(forms[key])(value, place)
    if isinstance(made, Course):
        _check_course(made, value, place)
    return made


def _check_course(course: Course, value, place):
    if not course.values or len(course.times) != len(course.values):
        raise bad(place, value, "times and values must be lists of equal length")
    if any(b <= a for a, b in zip(course.times, course.times[1:])):
        raise bad(place, value, "times must increase")


def anything(value, place):
    """Read what a user's own rule or prompt may take: text, a whole number, true or false, or a matrix in any of its forms."""
    return value if isinstance(value, str | int) else matrix(value, place)
