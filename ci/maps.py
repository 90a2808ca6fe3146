#!/usr/bin/env python3
"""Makes corpus/maps: DTR's exact map of every public trace, those of other policies on two of them, every edge of
every hole run again by itself, and the points that the published study could not resolve.

    bash ci/run.sh maps [TRACES [NAME...]]

Takes minutes. Each hunt keeps a checkpoint in build/maps, so that it goes on where it was stopped; a map that
is already there is kept, its edges are checked again. Delete its file to have it made again.
"""

import gzip
import json
import os
import pathlib
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


# Other policies, hunted together on the two smallest traces, in policies/NAME.json.gz: every cost inversion is listed,
# which makes megabytes.
POLICIES = ["NbhdPenalty", "TwoPhase", "CostStale", "HEStar", "LRU", "DTRLocal", "DTREqClass", "TControlInspired"]
POLICY_TRACES = ["unet", "resnet32"]


def find_log(folder, beginning):
    logs = sorted(folder.glob(beginning + "*.log"))
    if len(logs) != 1:
        sys.exit(f"{folder}: expected one log that begins with {beginning}, found {len(logs)}")
    return logs[0]


def hunt(name, log, policies=("DTR",)):
    """Hunts unless the map is there; returns it, with what it took."""
    target = file_of(name)
    if not target.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        checkpoint = WORK / f"{name}.checkpoint"
        checkpoint.parent.mkdir(parents=True, exist_ok=True)
        result = WORK / f"{name}.json"
        checkpoint_option = ["--resume" if checkpoint.exists() else "--checkpoint", checkpoint]
        fresh = not checkpoint.exists()
        began = time.monotonic()
        options = [option for policy in policies for option in ("--policy", policy)]
        command = [POTHOLE, "hunt", log, *options, "--json", result, *checkpoint_option]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            sys.exit(f"{name}: hunt ended with {os.waitstatus_to_exitcode(status)}")
        found = json.loads(result.read_text())
        found["measured"] = {
            "seconds": round(time.monotonic() - began, 2),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 2),
            "peak_memory_mb": round(usage.ru_maxrss * 1024 / 1e6),
            "uninterrupted": fresh,
        }
        keep(name, found)
    return read_map(target)


def file_of(name):
    return MAPS / (f"{name}.json.gz" if name.startswith("policies/") else f"{name}.json")


def read_map(file):
    content = file.read_bytes()
    return json.loads(gzip.decompress(content) if file.suffix == ".gz" else content)


def keep(name, found):
    file = file_of(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    content = text_of(found).encode()
    temporary = MAPS / f"{name}.tmp"
    # Without a time stamp: the same map makes the same bytes.
    temporary.write_bytes(gzip.compress(content, mtime=0) if file.suffix == ".gz" else content)
    temporary.rename(file)


def text_of(found):
    """One line per item of a list: readable, and small changes make small differences."""
    lines = []
    head = {k: v for k, v in found.items() if k not in ("maps", "timed_out_points")}
    lines.append("{")
    for key, value in head.items():
        lines.append(f" {json.dumps(key)}: {json.dumps(value)},")
    lines.append(' "timed_out_points": [' + ", ".join("\n  " + json.dumps(p) for p in found.get("timed_out_points", [])) + "],")
    lines.append(' "maps": [{')
    lines.append("\n }, {\n".join(text_of_map(map_of_policy) for map_of_policy in found["maps"]))
    lines.append(" }]")
    lines.append("}")
    return "\n".join(lines) + "\n"


def text_of_map(map_of_policy):
    lines = []
    for i, (key, value) in enumerate(map_of_policy.items()):
        comma = "," if i + 1 < len(map_of_policy) else ""
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines.append(f"  {json.dumps(key)}: [")
            lines.append(",\n".join("   " + json.dumps(item) for item in value))
            lines.append(f"  ]{comma}")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}{comma}")
    return "\n".join(lines)


def run_singly(log, policy, budgets):
    """One run per budget, each by itself: no part of the merged sweep takes part."""
    batch = WORK / "batch.jsonl"
    WORK.mkdir(parents=True, exist_ok=True)
    batch.write_text("".join(json.dumps({"trace": str(log), "policy": policy, **b}) + "\n" for b in budgets))
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
    runs = 0
    for map_of_policy in found["maps"]:
        edges = []
        for segment in map_of_policy["segments"]:
            edges += [(segment["from"], segment["outcome"]), (segment["to"] - 1, segment["outcome"])]
        results = run_singly(log, map_of_policy["policy"], [{"budget": budget} for budget, _ in edges])
        for (budget, outcome), result in zip(edges, results):
            if result["outcome"] != outcome:
                where = f"{name}, {map_of_policy['policy']}, {budget}"
                sys.exit(f"{where}: the map says {outcome}, a single run {result['outcome']}")
        runs += len(edges)
    return runs


def published_points(name, log, found, ratios):
    """Of a trace without a map, `found` is None."""
    results = run_singly(log, "DTR", [{"ratio": ratio} for ratio in ratios])
    rows = []
    for ratio, result in zip(ratios, results):
        if found and outcome_in_map(found, result["budget"]) != result["outcome"]:
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


README = """# DTR's exact maps of the eight public traces

Made by `bash ci/run.sh maps`. Results only: the traces are those of the DTR authors' simulator (`index.json` of that
data set names them); none of their content is here. One file a model: what `pothole hunt LOG --json` writes (README.md,
"Output for programs"), one item a line, and what the hunt took, `measured`. Policy DTR, dealloc eager, overhead limit 60, every
budget from ratio 0.05 to the peak.

{maps}
*Steps shared* is the materializations of all executions, had each been run by itself, over those carried out. Time is of the
whole process with two threads on a machine with two cores, reading the log and writing the map and a checkpoint included; CPU time is
of both cores. {interrupted}

## Holes

Completes up to *safe budget*, fails from the next byte on, completes again at *completes from*. Nothing in between was assumed:
every byte is certified.

{holes}
The first and the last byte of every segment, and with that both sides of every edge of every hole, was run again by itself
(`pothole run --batch`, one run per budget, neither splitting nor merging takes part, though
the step function is the same; {edges} runs), and gave the outcome of the map. The edges of U-Net and ResNet-32 were decided once more by the
slow model in `tests/model`, which shares no deciding code with the engine.

## Other policies

*Hole bytes* are the budgets inside holes at which the run fails. The files hold every segment and every cost inversion, compressed; the same check of both ends of each
segment ({policy_edges} runs) was made of them.

{policies}
## Points that the published study could not resolve

The study's runs at these ratios ended at its limit of 20 minutes (paper, section 5). Each is one run here; the certificate is the interval of
budgets at which exactly the same happens. Where the map is there, it agrees.

{points}
"""


def table(head, rows):
    align = ["|---|"] + ["---:|"] * (len(head) - 1)
    lines = ["| " + " | ".join(head) + " |", "".join(align)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def policy_rows():
    """The table of holes per policy and trace, DTR first; and how often its edges were run."""
    rows, runs = [], 0
    for name in POLICY_TRACES:
        files = [file_of(name), file_of(f"policies/{name}")]
        for file in files:
            if not file.exists():
                continue
            found = read_map(file)
            runs += found["single_runs"] if len(found["maps"]) > 1 else 0
            peak = found["trace"]["peak"]
            for m in found["maps"]:
                first, stable = m["first_success"], m["stable_from"]
                failing = sum(h["oom_bytes"] + h["thrashed_bytes"] for h in m["holes"])
                rows.append(
                    [
                        m["policy"],
                        f"[{name}]({file.relative_to(MAPS)})",
                        len(m["holes"]),
                        f"{failing:,}",
                        f"{first:,} ({first / peak:.4f})",
                        f"{stable:,} ({stable / peak:.4f})",
                        f"{m['executions']:,}",
                    ]
                )
    return rows, runs


def readme(maps, folder):
    points = [point for found in maps.values() for point in found["timed_out_points"]]
    for name, (beginning, ratios) in TRACES.items():
        if ratios and name not in maps:
            points += published_points(name, find_log(folder, beginning), None, ratios)
    edges = sum(found["single_runs"] for found in maps.values())
    open_ones = [name for name in TRACES if name not in maps]
    overview, holes, resumed = [], [], []
    other_policies, policy_runs = policy_rows()
    for name, found in maps.items():
        m, took, peak = found["maps"][0], found["measured"], found["trace"]["peak"]
        share = m["execution_steps"] / max(m["distinct_steps"], 1)
        exact = took["uninterrupted"]
        if not exact:
            resumed.append(name)
        of_last_part = "" if exact else " *"
        overview.append(
            [
                f"[{name}]({name}.json)",
                f"{found['trace']['operators']:,}",
                len(m["holes"]),
                f"{m['first_success']:,} ({m['first_success'] / peak:.4f})",
                f"{m['stable_from']:,} ({m['stable_from'] / peak:.4f})",
                f"{m['executions']:,}",
                f"{m['states_merged']:,}",
                f"{share:.0f}x{of_last_part}",
                f"{took['seconds']} s{of_last_part}",
                f"{took['cpu_seconds']} s{of_last_part}",
                f"{took['peak_memory_mb']} MB",
            ]
        )
        for h in m["holes"]:
            ratios = f"{h['ratio_from']:.6f} to {h['ratio_to']:.6f}"
            width = h["to"] - h["from"]
            holes.append([name, f"{h['safe_budget']:,}", f"{h['to']:,}", f"{width:,}", ratios, f"{h['thrashed_bytes']:,}"])
    head = ["trace", "operators", "holes", "first success", "stable from", "executions", "states merged", "steps shared"]
    rows = []
    for p in points:
        low, high = p["certificate"]
        overhead = "" if p["overhead"] is None else f"{p['overhead']:.4f}"
        rows.append([p["trace"], p["ratio"], f"{p['budget']:,}", p["outcome"], overhead, f"{low:,} to {high - 1:,}"])
    note = (
        ""
        if not resumed
        else "An asterisk: the hunt was stopped and resumed from its checkpoint. Its times are of the last part, and "
        "what it shared counts steps that were carried out twice, so that the true share is larger."
    )
    text = README.format(
        maps=table(head + ["time", "CPU time", "memory"], overview),
        interrupted=note,
        holes=table(["trace", "safe budget", "completes from", "bytes", "ratio", "of them thrashed"], holes),
        edges=edges,
        policy_edges=policy_runs,
        policies=table(["policy", "trace", "holes", "hole bytes", "first success", "stable from", "executions"], other_policies),
        points=table(["trace", "ratio", "budget", "outcome", "overhead", "certificate"], rows),
    )
    if open_ones:
        text += "\nNot certified in full yet: " + ", ".join(open_ones) + ".\n"
    (MAPS / "README.md").write_text(text)


def main():
    standard = os.environ.get("POTHOLE_TRACES", ROOT.parent / "shared/traces")
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else standard)
    names = sys.argv[2:] or list(TRACES)
    for name in names:
        beginning, ratios = TRACES[name]
        log = find_log(folder.resolve(), beginning)
        found = hunt(name, log)
        found["single_runs"] = check_edges(name, log, found)
        found["timed_out_points"] = published_points(name, log, found, ratios)
        keep(name, found)
        m = found["maps"][0]
        checked = found["single_runs"]
        print(f"{name}: {len(m['holes'])} holes, {m['executions']} executions, {checked} single runs agree", flush=True)
    for name in POLICY_TRACES:
        if name in names:
            log = find_log(folder.resolve(), TRACES[name][0])
            found = hunt(f"policies/{name}", log, POLICIES)
            found["single_runs"] = check_edges(name, log, found)
            keep(f"policies/{name}", found)
            print(f"{name}: {len(POLICIES)} other policies, {found['single_runs']} single runs agree", flush=True)
    made = {name: MAPS / f"{name}.json" for name in TRACES if (MAPS / f"{name}.json").exists()}
    readme({name: json.loads(file.read_text()) for name, file in made.items()}, folder.resolve())


if __name__ == "__main__":
    main()
