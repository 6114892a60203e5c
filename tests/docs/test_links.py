"""No link inside the site, the README or the pages beside it leads nowhere."""

import ast
import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
BY_HAND = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if "node_modules" not in path.parts),
]
FENCED = re.compile(r"^(`{3,})(?!\{).*?^\1`*$", flags=re.M | re.S)
CODE = re.compile(r"``.+?``|`[^`\n]+`|\$\$.+?\$\$|(?<!\\)\$[^$\n]+\$", flags=re.S)
LINK = re.compile(r"(?<!\\)\]\(([^()\s]+(?:\([^()\s]*\))?)\)")
DOCUMENT = re.compile(r"^:link: (\S+)\n:link-type: doc", flags=re.M)
INCLUDED = re.compile(r"\{(?:literal)?include\} (\S+)\n(?::pyobject: (\w+))?")
TOCTREE = re.compile(r"\{toctree\}.*?\n\n(.*?)^(?:`{3}|:{3})", flags=re.M | re.S)


def is_made(path: str) -> bool:
    return path.split("/")[0] in ("papers", "figures", "reference", "tutorials")


@pytest.fixture(scope="module")
def site(made) -> dict[str, str]:
    """Every page of the site by its path in docs/; tutorials are made by sphinx-gallery from the examples."""
    docs = ROOT / "docs"
    hand = {path.relative_to(docs).as_posix(): path.read_text("utf-8") for path in BY_HAND if docs in path.parents}
    tutorials = {f"tutorials/{path.stem}.md": "" for path in (ROOT / "examples").glob("plot_*.py")}
    return (
        {path: text for path, text in hand.items() if not is_made(path)} | made | tutorials | {"tutorials/index.md": ""}
    )


def plain(text: str) -> str:
    """A page without its code and its formulas."""
    return CODE.sub("", FENCED.sub("", text))


def anchors(text: str) -> set[str]:
    """Names that a link may go to: explicit ones, and headings."""
    headings = re.findall(r"^#{1,3} (.+)$", plain_headings(text), flags=re.M)
    slugs = {re.sub(r"[^\w\- ]", "", re.sub(r"[`*\\]", "", h).lower()).strip().replace(" ", "-") for h in headings}
    return set(re.findall(r"^\((\S+)\)=$", text, flags=re.M)) | slugs


def plain_headings(text: str) -> str:
    return FENCED.sub("", text)


def joined(page: str, target: str) -> str:
    """A path in docs/, from the page that names it."""
    parts: list[str] = []
    for part in (PurePosixPath(page).parent / target).parts:
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def test_links_of_the_site(site):
    everywhere = set().union(*(re.findall(r"^\((\S+)\)=$", text, flags=re.M) for text in site.values()))
    dead = []
    for page, text in site.items():
        for target in LINK.findall(plain(text)):
            path, _, name = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            goal = joined(page, path) if path else page
            goal = f"{goal}.md" if f"{goal}.md" in site else goal  # MyST finds a page without its ending too
            is_there = goal in site or (ROOT / "docs" / goal).is_file()
            known = anchors(site.get(goal, "")) | (everywhere if not path else set())
            if not is_there or (name and name not in known):
                dead.append(f"{page}: {target}")
    assert not dead


def test_cards_and_lists_of_pages(site):
    dead = []
    for page, text in site.items():
        listed = [joined(page, name) for name in DOCUMENT.findall(text)] + lists(page, text)
        dead += [f"{page}: {name}" for name in listed if "*" not in name and f"{name}.md" not in site]
    assert not dead


def lists(page: str, text: str) -> list[str]:
    """What the lists of pages on a page name, from docs/."""
    lines = [line for body in TOCTREE.findall(text) for line in body.split("\n") if line and line[0] != ":"]
    return [joined(page, line.rsplit("<", 1)[-1].rstrip(">").strip().removesuffix(".md")) for line in lines]


def test_every_page_is_in_a_list(site):
    listed = [name for page, text in site.items() for name in lists(page, text)]
    lost = {page for page in site if not any(fnmatch(page, f"{name}.md") for name in listed)}
    tutorials = {page for page in site if page.startswith("tutorials/plot_")}  # listed by sphinx-gallery
    assert lost - tutorials == {"index.md"}


def test_included_files_and_objects(site):
    dead = []
    for page, text in site.items():
        for path, name in INCLUDED.findall(text):
            file = ROOT / "docs" / (path[1:] if path[0] == "/" else joined(page, path))
            if not file.exists() or (name and name not in objects(file.resolve())):
                dead.append(f"{page}: {path} {name}")
    assert not dead


@cache
def objects(file: Path) -> set[str]:
    tree = ast.parse(file.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}


@pytest.mark.parametrize("page", [path for path in BY_HAND if path.parent == ROOT], ids=lambda path: path.name)
def test_links_and_paths_of_pages_at_the_root(page):
    text = page.read_text("utf-8")
    named = re.findall(r"`((?:docs|src|tests|scenarios|benchmarks|web|examples)/[\w./-]+)`", text)
    dead = [
        t for t in LINK.findall(plain(text)) if not re.match(r"[a-z]+:|#", t) and not (ROOT / t.split("#")[0]).exists()
    ]
    exact = [
        path for path in named if "_NN_" not in path and page.name != "CHANGELOG.md"
    ]  # patterns, and what was once
    gone = [path for path in exact if not (ROOT / path).exists()]
    assert not dead + gone


ROOMS = "engine|theory|models|draw|papers|experiments|interfaces"


@pytest.mark.parametrize("page", BY_HAND, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_source_files_that_pages_name_exist(page):
    """Paths that start at the package; what the changelog names may be gone since, and a NAME is a pattern."""
    named = re.findall(rf"`((?:{ROOMS})/[\w./]+)`", page.read_text("utf-8"))
    gone = [path for path in named if "NAME" not in path and not (ROOT / "src/attnflow" / path).exists()]
    assert page.name == "CHANGELOG.md" or not gone
