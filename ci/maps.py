#!/usr/bin/env python3
"""Makes corpus/maps: DTR's exact map of every public trace, every edge of every hole run again by itself, and
the points that the published study could not resolve.

    bash ci/run.sh maps [TRACES [NAME...]]

Takes minutes. Each hunt keeps a checkpoint in build/maps, so that it goes on where it was stopped; a map that
is already there is kept, its edges are checked again. Delete its file to have it made again.
"""

import json
import os
import pathlib
import platform
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
POTHOLE = ROOT / "build/release/pothole"
MAPS = ROOT / "corpus/maps"
WORK = ROOT / "build/maps"

# Model, the log whose name begins so, and the ratios at which the study's runs timed out (paper, sections 4
# and 5; the ends of its ranges and the multiples of its step between them).
TRACES = {
    "unet": ("unet-", []),
    "resnet32": ("resnet32-", []),
    "transformer": ("transformer-", []),
    "densenet121": ("tv_densenet121-", []),
    "inceptionv4": (
        "inceptionv4-",
        [0.214, 0.215, 0.218, 0.22, 0.239, 0.2395, 0.24, 0.2405, 0.241, 0.2415, 0.2525, 0.2528, 0.2529, 0.253],
    ),
    "unroll_gan": ("unroll_gan-", [0.237, 0.238]),
    "treelstm": ("treelstm-", []),
    "lstm": ("lstm-", []),
}


def find_log(folder, beginning):
    logs = sorted(folder.glob(beginning + "*.log"))
    if len(logs) != 1:
        sys.exit(f"{folder}: expected one log that begins with {beginning}, found {len(logs)}")
    return logs[0]


def hunt(name, log):
    """Hunts unless the map is there; returns (map, measurements)."""
    target = MAPS / f"{name}.json"
    if not target.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        checkpoint = WORK / f"{name}.checkpoint"
        result = WORK / f"{name}.json"
        keep = ["--resume" if checkpoint.exists() else "--checkpoint", checkpoint]
        fresh = not checkpoint.exists()
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen([POTHOLE, "hunt", log, "--json", result, *keep], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            sys.exit(f"{name}: hunt ended with {os.waitstatus_to_exitcode(status)}")
        del before
        found = json.loads(result.read_text())
        found["measured"] = {
            "seconds": round(time.monotonic() - began, 2),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 2),
            "peak_memory_mb": round(usage.ru_maxrss * 1024 / 1e6),
            "uninterrupted": fresh,
        }
        MAPS.mkdir(exist_ok=True)
        temporary = target.with_suffix(".tmp")
        temporary.write_text(text_of(found))
        temporary.rename(target)
    return json.loads(target.read_text())


def text_of(found):
    """One line per item of a list: readable, and small changes make small differences."""
    lines = []
    map_of_policy = found["maps"][0]
    head = {k: v for k, v in found.items() if k != "maps"}
    lines.append("{")
    for key, value in head.items():
        lines.append(f" {json.dumps(key)}: {json.dumps(value)},")
    lines.append(' "maps": [{')
    for i, (key, value) in enumerate(map_of_policy.items()):
        comma = "," if i + 1 < len(map_of_policy) else ""
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines.append(f"  {json.dumps(key)}: [")
            lines.append(",\n".join("   " + json.dumps(item) for item in value))
            lines.append(f"  ]{comma}")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}{comma}")
    lines.append(" }]")
    lines.append("}")
    return "\n".join(lines) + "\n"


def run_singly(log, budgets):
    """One run per budget, each by itself: no part of the merged sweep takes part."""
    batch = WORK / "batch.jsonl"
    WORK.mkdir(parents=True, exist_ok=True)
    batch.write_text("".join(json.dumps({"trace": str(log), "policy": "DTR", **b}) + "\n" for b in budgets))
    done = subprocess.run([POTHOLE, "run", "--batch", batch, "--json", "-", "--quiet"], capture_output=True, text=True)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    if len(results) != len(budgets) or any("error" in r for r in results):
        sys.exit(f"{log}: single runs failed: {done.stderr}")
    return results


def outcome_in_map(found, budget):
    for segment in found["maps"][0]["segments"]:
        if segment["from"] <= budget < segment["to"]:
            return segment["outcome"]
    return None


def check_edges(name, log, found):
    """Every segment's first and last byte, and with that both sides of every edge of every hole."""
    edges = []
    for segment in found["maps"][0]["segments"]:
        edges += [(segment["from"], segment["outcome"]), (segment["to"] - 1, segment["outcome"])]
    results = run_singly(log, [{"budget": budget} for budget, _ in edges])
    for (budget, outcome), result in zip(edges, results):
        if result["outcome"] != outcome:
            sys.exit(f"{name}: at {budget} the map says {outcome}, a single run {result['outcome']}")
    return len(edges)


def published_points(name, log, found, ratios):
    results = run_singly(log, [{"ratio": ratio} for ratio in ratios])
    rows = []
    for ratio, result in zip(ratios, results):
        if outcome_in_map(found, result["budget"]) != result["outcome"]:
            sys.exit(f"{name}: map and single run differ at ratio {ratio}")
        low, high = result["certificate"]
        rows.append(
            {
                "trace": name,
                "ratio": ratio,
                "budget": result["budget"],
                "outcome": result["outcome"],
                "overhead": result["overhead"],
                "certificate": [low, high],
            }
        )
    return rows


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("POTHOLE_TRACES", ROOT.parent / "shared/traces"))
    names = sys.argv[2:] or list(TRACES)
    points = []
    for name in names:
        beginning, ratios = TRACES[name]
        log = find_log(folder.resolve(), beginning)
        found = hunt(name, log)
        edges = check_edges(name, log, found)
        m = found["maps"][0]
        print(f"{name}: {len(m['holes'])} holes, {m['executions']} executions, {edges} edges agree with single runs", flush=True)
        points += published_points(name, log, found, ratios)
    if names == list(TRACES):
        (MAPS / "timed-out-points.json").write_text("[\n" + ",\n".join(" " + json.dumps(p) for p in points) + "\n]\n")


if __name__ == "__main__":
    main()
