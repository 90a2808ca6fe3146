#!/usr/bin/env python3
"""Writes what would have prevented each known hole: the tables of corpus/explained.md.

    python3 ci/explained.py POTHOLE regressions             every hole of corpus/regressions
    python3 ci/explained.py POTHOLE TRACE_FOLDER NAME...    every hole of DTR on the traces named, such as resnet32 unet

Prints a Markdown table. Storages go by the index of their root tensor, operators from 1.
"""
import json
import pathlib
import re
import subprocess
import sys

HEADER = ["hole of", "policy", "completes", "fails", "at operator", "rebuilt there", "retaining", "evicted at", "then"]


def run(command, codes):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"explained.py: {' '.join(map(str, command))}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def explanation(pothole, arguments):
    return json.loads(run([pothole, "explain", "--quiet", "--json", "-", *arguments], {0}))


def prevention(explained):
    """What is retained, where the failing execution evicted it last, and what then happens."""
    interventions = explained["interventions"]
    smallest = interventions["smallest"]
    if not smallest:
        return ["no set of storages" if interventions["all_tried"] else "none found", "", "fails"]
    best = smallest[0]
    names = " and ".join(map(str, best["retained"]))
    if len(best["retained"]) == 1 and len(smallest) > 1:
        names += " (or another)" if len(smallest) == 2 else f" (or one of {len(smallest) - 1} others)"
    elif len(best["retained"]) > 1 and not interventions["smallest_is_certain"]:
        names += " (perhaps fewer)"
    at = f"{explained['cause']['place'] + 1}" if "cause" in explained else ""
    overhead = "completes" if best["overhead"] is None else f"{best['overhead']:.3f}x"
    return [names, at, f"{overhead}, depth {best['max_depth']}"]


def row(name, explained):
    divergence, budgets = explained["divergence"], explained["budgets"]
    remats = sum(t["times"] for t in explained["rebuild"]["tensors"])
    return [name, explained["policy"], f"{budgets['ok']}", f"{budgets['oom']}", f"{divergence['failing_place'] + 1}",
            f"{remats}, {len(explained['rebuild']['at_depth'])} deep", *prevention(explained)]


def regressions(pothole):
    for case in sorted(pathlib.Path("corpus/regressions").glob("*.json")):
        yield row(case.stem, explanation(pothole, [case]))


def holes_of_dtr(pothole, folder, names):
    for name in names:
        logs = [f for f in sorted(pathlib.Path(folder).glob("*.log*")) if re.match(rf"(tv_)?{name}-", f.name)]
        if len(logs) != 1:
            sys.exit(f"explained.py: {folder} has {len(logs)} logs of {name}")
        maps = json.loads(run([pothole, "hunt", logs[0], "--policy", "DTR", "--quiet", "--json", "-"], {0, 1}))["maps"]
        for number in range(1, len(maps[0]["holes"]) + 1):
            yield row(f"{name}, {number}", explanation(pothole, [logs[0], "--policy", "DTR", "--hole", str(number)]))


def main():
    if len(sys.argv) < 3 or (sys.argv[2] != "regressions" and len(sys.argv) < 4):
        sys.exit(__doc__)
    pothole, what, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    print("|" + "|".join(f" {h} " for h in HEADER) + "|")
    print("|" + "---|" * len(HEADER))
    for cells in regressions(pothole) if what == "regressions" else holes_of_dtr(pothole, what, names):
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
