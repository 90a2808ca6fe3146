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

    def record(self, step):
        """The lines of the log of one run of `step`; the tool accepts them."""
        with pothole_record.record(self.log):
            outcome = step()
        lines = lines_of(self.log)
        self.assertEqual(replay(self.log)["outcome"], "ok")
        del outcome
        return lines


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
