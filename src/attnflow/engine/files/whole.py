"""Files and folders that appear whole or not at all, and the one line that a full disk gets."""

from __future__ import annotations

import glob
import os
import platform
import re
import shutil
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EIO
from pathlib import Path

from ...errors import BadInput, is_memory

DRAFT = "attnflow-draft"


@contextmanager
def whole(path: str | Path) -> Iterator[Path]:
    """A place beside a file to write to, which becomes the file when all is written."""
    path = check_ordinary(Path(path))
    draft = draft_of(path)
    try:
        with told_where(path.parent):
            yield draft
            os.replace(draft, path)
    finally:
        remove(draft)


def check_ordinary(path: Path) -> Path:
    """The file a path means, links followed; a device or a pipe would be lost if a file took its place."""
    try:
        path = path.resolve() if path.is_symlink() else path
        is_other = path.exists() and not path.is_file()
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or ("a loop of links" if isinstance(error, RuntimeError) else error)
        raise BadInput(f"{path}: {why}; choose another place") from None
    if is_other:
        raise BadInput(f"{path} exists and is not an ordinary file; choose another place")
    return path


def draft_of(path: Path) -> Path:
    """A hidden name beside a path that no other process or thread uses; drafts that a killed process left are removed."""
    host = re.sub(r"\W", "_", platform.node())
    for old in glob.glob(f".{glob.escape(path.name)}.{host}-*.{DRAFT}{path.suffix}", root_dir=path.parent):
        maker = re.search(rf"-(\d+)-\d+\.{DRAFT}", old)
        if maker and not _is_alive(int(maker[1])):
            remove(path.with_name(old))
    mine = f"{host}-{os.getpid()}-{threading.get_ident()}"
    return path.with_name(f".{path.name}.{mine}.{DRAFT}{path.suffix}")


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # of another user
        return True
    return True


def remove(path: Path) -> None:
    """Remove a file or folder of ours, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def told_where(folder: Path) -> Iterator[None]:
    """What goes wrong in writing names the folder: a full disk alone tells no name."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno or EIO, reason(error), str(folder)) from None


def check_folder(folder: str | Path) -> None:
    """Refuse, before any work, a folder that can neither be used nor made."""
    folder = Path(folder)
    for place in (folder, *folder.parents):
        try:
            is_folder = stat.S_ISDIR(os.stat(place).st_mode)
        except FileNotFoundError:
            if place.is_symlink():
                raise BadInput(f"{place} is a link to nowhere; choose another --out") from None
            continue
        except (OSError, ValueError) as error:
            why = reason(error) if isinstance(error, OSError) else "not a name that a folder can have"
            if isinstance(error, NotADirectoryError):
                continue
            raise BadInput(f"{place}: {why}; choose another --out") from None
        if not is_folder:
            raise BadInput(f"{place} exists and is not a folder; choose another --out")
        if not os.access(place, os.W_OK | os.X_OK):
            raise BadInput(f"{place}: no permission to write there; choose another --out")
        return


def text_in(folder: Path, name: str, words: str) -> Path:
    """Write a text file of a folder, which is made if need be, whole or not at all."""
    with told_where(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with whole(folder / name) as draft:
        draft.write_text(words, encoding="utf-8")
    return folder / name


def reason(error: BaseException) -> str:
    """Why work could not be finished or a file not be written, in a few words."""
    if is_memory(error):
        return "not enough memory (fewer tokens, dimensions or saved times need less)"
    return getattr(error, "strerror", None) or " ".join(str(error).split())[:80]
