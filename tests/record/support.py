"""What the recorder's tests share: recorded logs as lines and as replayed by pothole, and counts of the allocator.

Modules that import this are skipped, with the reason, where PyTorch or the built tool is missing.
"""

import gc
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
POTHOLE = pathlib.Path(os.environ.get("POTHOLE", ROOT / "build/release/pothole"))
sys.path.insert(0, str(ROOT / "corpus/record"))

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest(f"PyTorch is missing ({error}): bash ci/run.sh test-record installs it") from error
if not POTHOLE.exists():
    raise unittest.SkipTest(f"{POTHOLE} is missing: bash ci/run.sh test-record builds it, POTHOLE names another")

import pothole_record


class RecorderTest(unittest.TestCase):
    """A folder for logs, and what is asked of every log."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "test.log.gz")
        torch.manual_seed(1)
        torch.set_num_threads(1)  # else the times say how busy the machine is

    def record(self, step):
        """The lines of the log of one run of `step`; what it returns is alive at the end."""
        with pothole_record.record(self.log):
            outcome = step()
        lines = lines_of(self.log)
        self.check_names(lines)
        self.assertEqual(replay(self.log)["outcome"], "ok")
        self.assertEqual(len(outputs(lines)), len({t.storage().data_ptr() for t in pothole_record.tensors_in(outcome)}))
        return lines

    def check_names(self, lines):
        """Every name is defined before it is used, and used no more once it is released. The reader would take more."""
        alive, dead = set(), set()
        for line in lines:
            used = set(line.get("ARGS", [])) | ({line["NAME"]} if line["INSTRUCTION"] == "RELEASE" else set())
            self.assertLessEqual(used, alive, line)
            new = set(line.get("RESULT", [])) | ({line["NAME"]} if line["INSTRUCTION"] == "CONSTANT" else set())
            self.assertFalse(new & (alive | dead), line)
            alive |= new
            if line["INSTRUCTION"] == "RELEASE":
                alive.remove(line["NAME"])
                dead.add(line["NAME"])

    def check_peak(self, step):
        """The replay has the peak that the allocator counts, up to the numbers that bindings make tensors of: for steps
        without MUTATE, which has old and new version beside one another."""
        with pothole_record.record(self.log) as recorded:
            outcome = step()
        del outcome
        counted = constant_bytes(lines_of(self.log)) + peak_by_allocator(step, recorded.operators)
        self.assertIn(counted - replay(self.log)["peak_resident"], range(0, 32))


def lines_of(log):
    with gzip.open(log, "rt") as file:
        return [json.loads(line) for line in file]


def program_of(log):
    """A log without its times, which alone may differ between runs."""
    header, *lines = lines_of(log)
    header.pop("step_time", None)
    return [header, *({**line, "TIME": None} if "TIME" in line else line for line in lines)]


def replay(log):
    """What `pothole run` says of the log with its peak as budget."""
    command = [POTHOLE, "run", log, "--ratio", "1", "--json", "-", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"pothole refuses the log: {done.stderr}")
    return json.loads(done.stdout)


def calls(lines, name=None):
    """The CALL and MUTATE lines, or those of one operator."""
    found = [line for line in lines if line["INSTRUCTION"] in ("CALL", "MUTATE")]
    return [line for line in found if name in (None, line["NAME"])]


def details(lines, key):
    """Tensor -> its MEMORY or ALIAS, as an integer."""
    return {line["NAME"]: int(line[key]) for line in lines if line["INSTRUCTION"] == key}


def outputs(lines):
    """The storages other than constants that are alive at the end, each as the name of its first tensor."""
    aliases = details(lines, "ALIAS")
    first = {}  # tensor -> first tensor of its storage
    for line in lines:
        for name in line.get("RESULT", []):
            first[name] = name if aliases[name] < 0 else first[line["ARGS"][aliases[name]]]
        if line["INSTRUCTION"] == "CONSTANT":
            first[line["NAME"]] = None
        elif line["INSTRUCTION"] == "RELEASE":
            del first[line["NAME"]]
        elif line["INSTRUCTION"] == "MUTATE":
            first.update((line["ARGS"][position], line["ARGS"][position]) for position in line["MUTATE"])
    return set(first.values()) - {None}


def constants(lines):
    return [line["NAME"] for line in lines if line["INSTRUCTION"] == "CONSTANT"]


def constant_bytes(lines):
    sizes = details(lines, "MEMORY")
    return sum(sizes[name] for name in constants(lines))


def place(lines, **wanted):
    """The index of the only line that has all of `wanted`."""
    found = [index for index, line in enumerate(lines) if all(line.get(key) == value for key, value in wanted.items())]
    assert len(found) == 1, f"{len(found)} lines have {wanted}"
    return found[0]


def bytes_alive():
    """Bytes of all storages that live tensors have."""
    gc.collect()
    tensors = [item for item in gc.get_objects() if issubclass(type(item), torch.Tensor)]
    return sum({t.storage().data_ptr(): t.storage().nbytes() for t in tensors if type(t) in (torch.Tensor, torch.nn.Parameter)}.values())


def peak_by_allocator(step, operators):
    """The most bytes that the allocator of PyTorch has given out, above those at the start, after any of the operators named.

    The profiler reports every allocation of a run that no dispatch mode watches, so this shares nothing with the recorder.
    Within an operator it sees scratch memory too, which no log has: hence the samples at the end of operators.
    """
    names = {name.split(".")[0] for name in operators}
    autograd = torch.autograd
    config = autograd.ProfilerConfig(autograd.ProfilerState.CPU, False, True, False, False, False,
                                     torch._C._profiler._ExperimentalConfig())
    autograd._enable_profiler_legacy(config)
    outcome = step()
    threads = autograd._disable_profiler_legacy()
    del outcome
    assert len(threads) == 1, "a run on several threads has no one order of allocations"
    live = peak = 0
    stack = []  # of names
    inside = 0  # how many on the stack are operators of the log
    for event in threads[0]:
        if event.kind() == "memory_alloc":
            live += event.cpu_memory_usage()
        elif event.kind() == "push":
            stack.append(event.name())
            inside += stack[-1] in names
        elif event.kind() == "pop" and stack:
            inside -= stack.pop() in names
            if inside == 0:
                peak = max(peak, live)
    return peak
