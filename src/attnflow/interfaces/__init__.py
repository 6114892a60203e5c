"""Doors for people: they show what the other rooms found, and never judge by themselves.

`report/`: the story of one run, one sweep or one model. `explore/`: the page in the browser and its server. `cli/`: the commands.

May import: every other room; `cli/` imports heavy parts inside its commands, so that `attnflow --help` answers at once.
Start with: `cli/commands/runs.py`, then `report/words.py`.
To add a command: a function in `cli/commands/`; a sentence of a report: `report/words.py`.
"""
