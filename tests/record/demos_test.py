#!/usr/bin/env python3
"""Every demo: its log has the peak that PyTorch's allocator counts, the time that the step takes, and the same program twice."""

import unittest

import support
from support import pothole_record, torch

try:
    import torchvision  # noqa: F401
except ImportError as error:
    raise unittest.SkipTest(f"torchvision is missing ({error}): bash ci/run.sh test-record installs it") from error

import demo_models

# Batches at which every model takes more than 50 ms, and the slowest some seconds.
BATCHES = {"resnet18": 2, "resnet50": 1, "densenet121": 1, "inception": 2, "unet": 2, "transformer": 2, "lstm": 16, "treelstm": 16, "gan": 256}
TRIES = 3  # a busy machine can spoil the times of one


def step_of(name, seed=1):
    torch.manual_seed(seed)
    return demo_models.DEMOS[name][0](BATCHES[name])


class Demos(support.RecorderTest):
    def check(self, name):
        step = step_of(name)
        recorded = pothole_record.record_step(self.log, step, repeats=0, model=name)
        counted = support.bytes_alive() + support.peak_by_allocator(step, recorded.operators)
        replayed = support.replay(self.log)["peak_resident"]
        print(f"{name}, batch {BATCHES[name]}: {len(recorded.operators)} operators, peak {replayed} bytes replayed, {counted} counted")
        self.assertLess(abs(replayed - counted), 0.02 * counted)

        first = support.program_of(self.log)
        pothole_record.record_step(self.log, step_of(name), repeats=0, model=name)
        self.assertEqual(support.program_of(self.log), first)
        self.check_time(name, step)

    def check_time(self, name, step):
        for _ in range(TRIES):
            recorded = pothole_record.record_step(self.log, step, repeats=3, warmup=0, model=name)
            operators, whole = sum(recorded.times), recorded.about["step_time"]
            print(f"{name}: {operators / 1e6:.1f} ms in operators, {whole / 1e6:.1f} ms in the step")
            if whole < 50e6 or abs(operators - whole) < 0.1 * whole:
                return
        self.fail("the times of the operators do not sum to the time of the step")


def add_tests():
    for name in demo_models.DEMOS:
        setattr(Demos, f"test_{name}", lambda self, name=name: self.check(name))


add_tests()

if __name__ == "__main__":
    unittest.main()
