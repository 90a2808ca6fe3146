#!/usr/bin/env python3
"""Whole steps: backward, optimizers, several steps, shared weights, and what the recorder says and refuses."""

import os
import subprocess
import sys
import unittest
import warnings

import support
from support import calls, constants, details, lines_of, place, pothole_record, torch

nn = torch.nn
KIB = torch.zeros(256)  # 1024 bytes, there before any recording


def step_of(model, data, optimizer=None):
    """A step whose gradients are None at its beginning and its end."""
    def step():
        loss = model(data).square().mean()
        loss.backward()
        if optimizer:
            optimizer.step()
        for weight in model.parameters():
            weight.grad = None

    return step


class Nested(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.Sequential(nn.Sequential(*layers), nn.ReLU())

    def forward(self, x):
        return {"out": [self.layers(x)]}["out"][0]


class Twice(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(torch.tanh(self.inner(x)))


class Backward(support.RecorderTest):
    def test_saved_tensors_die_inside_backward(self):
        def step():
            x = weight
            for _ in range(3):
                x = torch.exp(x)  # saves its result
            total = x.sum()
            del x
            return torch.autograd.grad(total, weight)

        weight = torch.zeros(256, requires_grad=True)
        lines = self.record(step)
        backward = place(lines, ANNOTATION="BACKWARD")
        slopes = [index for index, line in enumerate(lines) if line.get("NAME") == "aten::mul.Tensor"]
        saved = [line["RESULT"][0] for line in calls(lines, "aten::exp")]
        releases = [place(lines, INSTRUCTION="RELEASE", NAME=name) for name in saved]
        self.assertEqual(len(slopes), 3)
        self.assertLess(backward, slopes[0])
        # The last saved tensor is the first that is read and given back: between the operators of backward.
        self.assertLess(slopes[0], releases[2])
        self.assertLess(releases[2], slopes[1])
        self.assertLess(releases[1], slopes[2])
        self.check_peak(step)

    def test_without_gradients_nothing_is_kept(self):
        model = nn.Sequential(*(nn.Linear(64, 64) for _ in range(6)))
        data = torch.randn(64, 64)

        def step():
            with torch.no_grad():
                return model(data)

        lines = self.record(step)
        self.assertFalse([line for line in lines if line.get("ANNOTATION") == "BACKWARD"])
        # Input and output of a layer are alive together, and never more.
        self.assertEqual(support.replay(self.log)["peak_resident"], support.constant_bytes(lines) + 2 * 64 * 64 * 4)
        self.check_peak(step)

    def test_a_graph_that_is_kept_can_be_run_twice(self):
        weight = torch.zeros(256, requires_grad=True)

        def step():
            total = torch.exp(weight).sum()
            return [torch.autograd.grad(total, weight, retain_graph=True)[0] for _ in range(2)]

        lines = self.record(step)
        self.assertEqual([line["ANNOTATION"] for line in lines if line["INSTRUCTION"] == "ANNOTATE"],
                         ["RECORDED", "START", "BACKWARD", "BACKWARD"])
        self.check_peak(step)

    def test_a_derivative_of_a_derivative(self):
        weight = torch.ones(256, requires_grad=True)

        def step():
            slope, = torch.autograd.grad(weight.pow(3).sum(), weight, create_graph=True)
            return torch.autograd.grad(slope.sum(), weight)

        self.record(step)
        self.check_peak(step)

    def test_a_function_of_the_users_own(self):
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * 2

            @staticmethod
            def backward(ctx, slope):
                return slope * 2 + 0 * ctx.saved_tensors[0]

        weight = torch.ones(256, requires_grad=True)
        self.assertGreater(len(calls(self.record(lambda: torch.autograd.grad(Double.apply(weight).sum(), weight)))), 4)

    def test_a_checkpoint_computes_again_inside_backward(self):
        from torch.utils.checkpoint import checkpoint

        model = nn.Sequential(nn.Linear(64, 64), nn.Tanh())
        data = torch.randn(64, 64, requires_grad=True)

        def step():
            slope, = torch.autograd.grad(checkpoint(model, data, use_reentrant=False, preserve_rng_state=False).sum(), data)
            return slope

        lines = self.record(step)
        self.assertEqual(len(calls(lines, "aten::tanh")), 2)
        self.check_peak(step)

    def test_a_branch_that_gets_no_gradient(self):
        weight, other = torch.ones(256, requires_grad=True), torch.ones(256, requires_grad=True)

        def step():
            unused = torch.exp(other)
            return torch.autograd.grad((weight * 2).sum(), [weight, other], allow_unused=True)[:1] + (unused.detach(),)

        self.record(step)


class Modules(support.RecorderTest):
    def test_shared_weights_are_one_constant(self):
        inner = nn.Linear(64, 64)
        data = torch.randn(64, 64)
        step = step_of(Twice(inner), data)
        step()
        lines = self.record(step)
        products = calls(lines, "aten::addmm")
        self.assertEqual(len(products), 2)
        self.assertEqual(products[0]["ARGS"][0], products[1]["ARGS"][0])  # the bias
        self.assertEqual(len(constants(lines)), 3)
        self.assertEqual(support.constant_bytes(lines), (64 * 64 + 64 + 64 * 64) * 4)

    def test_nested_modules_and_dictionaries_leave_no_trace(self):
        data = torch.randn(8, 64)
        torch.manual_seed(2)
        deep = Nested(Nested(nn.Linear(64, 64)), Nested(nn.Linear(64, 64)))
        torch.manual_seed(2)
        first, second = nn.Linear(64, 64), nn.Linear(64, 64)
        relu = nn.ReLU()
        flat = nn.Sequential(first, relu, second, relu, relu)
        logs = []
        for model in (deep, flat):
            self.record(step_of(model, data))
            logs.append(support.program_of(self.log)[1:])
        self.assertEqual(*logs)

    def test_optimizers_with_state_count_it_once(self):
        widest = 64 * 64 * 4  # what they write into besides constants, in two versions
        for make in (lambda w: torch.optim.SGD(w, 0.1, momentum=0.9), torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop):
            model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
            optimizer = make(model.parameters())
            step = step_of(model, torch.randn(4, 64), optimizer)
            step()  # makes the state
            recorded = pothole_record.record_step(self.log, step, repeats=0)
            counted = support.constant_bytes(lines_of(self.log)) + support.peak_by_allocator(step, recorded.operators)
            replayed = support.replay(self.log)["peak_resident"]
            self.assertFalse([name for name in recorded.operators if name.startswith("profiler::")])
            self.assertLessEqual(counted - 64, replayed, type(optimizer))
            self.assertLessEqual(replayed, counted + widest, type(optimizer))

    def test_several_steps_are_one_log(self):
        model = nn.Linear(64, 64)
        optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
        step = step_of(model, torch.randn(4, 64), optimizer)

        def three():
            for _ in range(3):
                step()
            return [state["momentum_buffer"] for state in optimizer.state.values()]

        lines = self.record(three)
        self.assertEqual(len([line for line in lines if line.get("ANNOTATION") == "BACKWARD"]), 3)
        self.assertEqual(len(calls(lines, "aten::addmm")), 3)

    def test_gradients_that_are_there_before_are_constants(self):
        model = nn.Linear(64, 64)
        data = torch.randn(4, 64)
        model(data).sum().backward()

        def step():
            for weight in model.parameters():
                weight.grad.zero_()
            model(data).sum().backward()

        lines = self.record(step)
        self.assertEqual(support.constant_bytes(lines), 4 * (2 * (64 * 64 + 64) + 4 * 64))


class WhatIsSaid(support.RecorderTest):
    def setUp(self):
        super().setUp()
        self.step = step_of(nn.Linear(64, 64), torch.randn(4, 64))

    def test_the_same_step_is_the_same_program(self):
        logs = []
        for _ in range(2):
            pothole_record.record_step(self.log, self.step, repeats=2, model="linear", batch=4)
            logs.append(support.program_of(self.log))
        self.assertEqual(*logs)

    def test_the_first_line_tells_how_it_was_made(self):
        pothole_record.record_step(self.log, self.step, repeats=2, model="linear", batch=4)
        header = lines_of(self.log)[0]
        self.assertEqual((header["ANNOTATION"], header["model"], header["batch"], header["repeats"], header["device"]),
                         ("RECORDED", "linear", 4, 2, "cpu"))
        self.assertEqual(header["torch"], torch.__version__)
        self.assertGreater(header["step_time"], 0)

    def test_times_are_medians_by_position(self):
        recorded = pothole_record.record_step(self.log, self.step, repeats=3)
        written = [int(line["TIME"]) for line in calls(lines_of(self.log)) if line["NAME"] != "pothole::view"]
        self.assertEqual(written, recorded.times)
        self.assertTrue(all(time > 0 for time in written))

    def test_a_step_that_changes_from_run_to_run_is_refused(self):
        runs = []

        def step():
            runs.append(KIB.exp())
            return KIB.neg() if len(runs) > 2 else KIB.abs()

        with self.assertRaisesRegex(pothole_record.RecordError, "operator 1 was aten::abs and is aten::neg; repeats=0"):
            pothole_record.record_step(self.log, step, repeats=1, warmup=1)

    def test_a_step_that_fails_leaves_no_log_and_no_traces(self):
        engine = torch.autograd.Variable._execution_engine
        with self.assertRaises(ZeroDivisionError):
            self.record(lambda: torch.zeros(4) / (1 // 0))
        self.assertEqual(os.listdir(os.path.dirname(self.log)), [])
        self.assertIs(torch.autograd.Variable._execution_engine, engine)
        self.step()

    def test_a_log_may_be_plain_text(self):
        plain = self.log.removesuffix(".gz")
        with pothole_record.record(plain):
            self.step()
        with open(plain, encoding="utf-8") as file:
            self.assertIn("RECORDED", file.readline())
        self.assertEqual(support.replay(plain)["outcome"], "ok")

    def test_the_command_records_a_demo(self):
        environment = {**os.environ, "PYTHONPATH": str(support.ROOT / "corpus/record")}
        command = [sys.executable, "-m", "pothole_record", "--demo", "gan", "--batch", "4", "--repeats", "1", "--out", self.log]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r"^.*: 366 operators, [0-9.]+ ms in them; the step takes [0-9.]+ ms\n$")
        for wrong in (["--demo", "gam"], ["--demo", "gan", "--batch", "0"], ["--demo", "gan", "--repeats", "-1"], []):
            done = subprocess.run([*command[:3], *wrong], env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, wrong)


if __name__ == "__main__":
    warnings.simplefilter("error", ResourceWarning)
    unittest.main()
