#!/usr/bin/env python3
"""Records what a training step does to memory, as a DTR operator log that `pothole` reads.

    import pothole_record

    with pothole_record.record("model.log.gz"):
        loss = step()                              # forward, backward, optimizer: anything

    pothole_record.record_step("model.log.gz", step, repeats=5)   # the same, times are medians of 5 runs

    python3 -m pothole_record --demo resnet18 --batch 8           # a stock model, weights drawn at random

Needs PyTorch 1.13 or later and nothing else (the torchvision demos need torchvision). A dispatch mode sees
every ATen call. What it writes down:

- A storage is told from others by identity: a weak reference, which neither keeps its bytes nor lets its address
  be used again. It is asked before every operator whether it is dead, so a RELEASE stands where the bytes were really
  given back, whoever held them last: Python, autograd's saved tensors, a gradient.
- A view has a name of its own, which joins the storage (ALIAS). It is found again by what it looks at: type,
  offset, sizes, strides. One that was made where no dispatch mode sees it is made up by an operator `pothole::view`.
- An operator that writes in place is a MUTATE; where it writes into a constant, as optimizers do, its result is a view of
  the constant (ALIAS), since a MUTATE would count the bytes of what cannot be evicted twice. Names of other views of that storage are released with it; whoever
  is used later is a view of the new version.
- What was there before the recording is a CONSTANT at the start of the log, if it is used at all. What comes into being
  unseen during the recording, as from_numpy, is a CONSTANT where it is first used.
- A result that is no tensor, as of item(), is a tensor of 0 bytes, released at once.
- At the end, storages that are still alive are outputs of the log.

Not seen: writes that PyTorch's operator schemas do not declare (batch_norm's running statistics), and scratch memory
within an operator. Gradients that are zeroed rather than set to None are constants, and stay.
"""

import argparse
import gc
import gzip
import json
import os
import statistics
import sys
import time

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode

NAME_OF_VIEW = "pothole::view"


class RecordError(Exception):
    """What cannot be recorded, and why."""


def storage_of(tensor):
    return tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage().untyped()


def tensors_in(value):
    """The tensors with a storage in an argument or result, in order; a sparse one is its parts."""
    if isinstance(value, torch.Tensor):
        if value.layout == torch.strided:
            return [value]
        if value.layout == torch.sparse_coo:
            return [value._indices(), value._values()]
        raise RecordError(f"a tensor of layout {value.layout} cannot be recorded")
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors_in(item)]
    return []


def looks_at(tensor):
    """What tells views of one storage apart."""
    return (tensor.dtype, tensor.storage_offset(), tuple(tensor.shape), tensor.stride(), tensor.is_conj(), tensor.is_neg())


class Storage:
    """A storage of the process and the names it has in the log now."""

    def __init__(self, storage, constant=False):
        self.weak = StorageWeakRef(storage)
        self.constant = constant  # never evicted
        self.names = {}  # what a view looks at -> its name; of the present version
        self.more_names = []  # of views that look at what an older one looks at

    def all_names(self):
        return [*self.names.values(), *self.more_names]

    def add_name(self, view, name):
        if view in self.names:
            self.more_names.append(name)
        else:
            self.names[view] = name


class Writer:
    """The lines of the log, kept until the times are known."""

    def __init__(self):
        self.lines = []
        self.constants = []  # lines of what was there before the recording
        self.calls = []  # (position, line) of each line that waits for its TIME
        self._named = 0

    def new_name(self):
        self._named += 1
        return f"t{self._named}"

    def _timed(self, position, line):
        self.calls.append((position, line))
        self.lines.append(line)

    def annotate(self, annotation, **more):
        self.lines.append({"INSTRUCTION": "ANNOTATE", "ANNOTATION": annotation, **more})

    def constant(self, name, size, first):
        lines = self.constants if first else self.lines
        lines.append({"INSTRUCTION": "CONSTANT", "NAME": name})
        lines.append({"INSTRUCTION": "MEMORY", "NAME": name, "MEMORY": str(size)})

    def call(self, operator, args, results, position):
        """results: (name, bytes, position of the argument it is a view of or -1)."""
        line = {"INSTRUCTION": "CALL", "NAME": operator, "ARGS": args, "RESULT": [name for name, _, _ in results], "TIME": "0"}
        self._timed(position, line)
        for name, size, alias in results:
            self.lines.append({"INSTRUCTION": "MEMORY", "NAME": name, "MEMORY": str(size)})
            self.lines.append({"INSTRUCTION": "ALIAS", "NAME": name, "ALIAS": str(alias)})

    def mutate(self, operator, args, positions, position):
        self._timed(position, {"INSTRUCTION": "MUTATE", "NAME": operator, "ARGS": args, "MUTATE": positions, "TIME": "0"})

    def release(self, name):
        self.lines.append({"INSTRUCTION": "RELEASE", "NAME": name})

    def save(self, path, header, times):
        for position, line in self.calls:
            if position is not None:
                line["TIME"] = str(times[position])
        start = {"INSTRUCTION": "ANNOTATE", "ANNOTATION": "START"}
        text = "".join(json.dumps(line) + "\n" for line in [header, start, *self.constants, *self.lines])
        part = f"{path}.part"
        with open(part, "wb") as file:
            data = text.encode()
            # Without time and name in the gzip header: the same log is the same file.
            file.write(gzip.compress(data, 9, mtime=0) if str(path).endswith(".gz") else data)
        os.replace(part, path)


class Ledger:
    """Which storages there are, what they are called, and what an operator did to them."""

    def __init__(self, writer):
        self.writer = writer
        self.storages = {}  # address -> Storage; the weak reference keeps the address from being used again
        self.before = {}  # address -> weak reference: what was there before the recording

    def note_what_is_there(self):
        found = [item for item in gc.get_objects() if issubclass(type(item), torch.Tensor)]
        for tensor in [*found, *(tensor.grad for tensor in found if tensor.is_leaf and tensor.grad is not None)]:
            if tensor.layout == torch.strided and type(tensor) in (torch.Tensor, torch.nn.Parameter):
                weak = StorageWeakRef(storage_of(tensor))
                self.before[weak.cdata] = weak

    def release_the_dead(self):
        dead = [address for address, storage in self.storages.items() if storage.weak.expired()]
        for address in dead:
            for name in self.storages.pop(address).all_names():
                self.writer.release(name)

    def keep_one_name_each(self):
        """At the end: what is alive is an output, once."""
        for storage in self.storages.values():
            for name in storage.all_names()[1:]:
                self.writer.release(name)

    def storage(self, tensor):
        """The record of the tensor's storage, or None where it has none yet."""
        return self.storages.get(storage_of(tensor)._cdata)

    def add_storage(self, tensor, constant=False):
        storage = storage_of(tensor)
        added = self.storages[storage._cdata] = Storage(storage, constant)
        return added

    def name_of(self, tensor):
        storage = self.storage(tensor)
        view = looks_at(tensor)
        if storage is None:
            storage = self.add_storage(tensor, constant=True)
            name = self.writer.new_name()
            bytes_of_it = storage_of(tensor)
            self.writer.constant(name, bytes_of_it.nbytes(), bytes_of_it._cdata in self.before)
            storage.add_name(view, name)
        elif view not in storage.names:
            name = self.writer.new_name()
            base = storage.all_names()[0]
            self.writer.call(NAME_OF_VIEW, [base], [(name, 0, 0)], None)
            storage.add_name(view, name)
        return storage.names[view]


class Operator:
    """One ATen call: what is known before it ran, and its lines afterwards."""

    def __init__(self, ledger, func, args, kwargs):
        self.ledger = ledger
        self.func = func
        self.name = operator_name(func)
        self.args = []  # names
        self.arg_storages = []
        self.writes = {}  # storage -> (position among args, tensor, bytes before)
        for index, argument in enumerate(func._schema.arguments):
            value = args[index] if index < len(args) else kwargs.get(argument.name)
            written = argument.alias_info is not None and argument.alias_info.is_write
            for tensor in tensors_in(value):
                self.args.append(ledger.name_of(tensor))
                storage = ledger.storage(tensor)
                self.arg_storages.append(storage)
                if written:
                    self.writes.setdefault(storage, (len(self.args) - 1, tensor, storage_of(tensor).nbytes()))

    def _writes_that_happened(self):
        """Leaves out operators that change what a tensor looks at and not a byte, as transpose_ and set_."""
        views_only = torch.Tag.inplace_view in self.func.tags
        return {storage: write for storage, write in self.writes.items()
                if self.ledger.storage(write[1]) is storage
                and (not views_only or storage_of(write[1]).nbytes() != write[2])}

    def _position_of(self, storage):
        """Where a result's storage stands among the arguments; one that is none of them joins them."""
        if storage not in self.arg_storages:
            self.arg_storages.append(storage)
            self.args.append(storage.all_names()[0])
        return self.arg_storages.index(storage)

    @staticmethod
    def _makes_a_version(storage, write):
        """A write into what may be evicted makes a MUTATE, if the storage is as large as before; it can be done again from
        the version before it. A constant is never evicted, and is written where it is: the new version is a view of it."""
        _, tensor, before = write
        return not storage.constant and storage_of(tensor).nbytes() == before

    def finish(self, outcome, position):
        writer = self.ledger.writer
        writes = self._writes_that_happened()
        results = []  # (storage, view, bytes, alias)
        for tensor in tensors_in(outcome):
            storage = self.ledger.storage(tensor)
            if storage is None:
                results.append((self.ledger.add_storage(tensor), looks_at(tensor), storage_of(tensor).nbytes(), -1))
            elif storage.names and storage not in writes:
                results.append((storage, looks_at(tensor), 0, self._position_of(storage)))
        if writes and not results and all(self._makes_a_version(*write) for write in writes.items()):
            self._mutate(writes, position)
            return
        old_names = [name for storage in writes for name in storage.all_names()]
        for storage, (at, tensor, before) in writes.items():
            storage.names, storage.more_names = {}, []
            size = storage_of(tensor).nbytes()
            stays = storage.constant and size == before
            results.append((storage, looks_at(tensor), 0 if stays else size, at if stays else -1))
        names = [writer.new_name() for _ in results] or [writer.new_name()]
        lines = [(name, size, alias) for name, (_, _, size, alias) in zip(names, results)]
        writer.call(self.name, self.args, lines or [(names[0], 0, -1)], position)
        for name, (storage, view, _, _) in zip(names, results):
            storage.add_name(view, name)
        for name in old_names if results else names:
            writer.release(name)

    def _mutate(self, writes, position):
        writer = self.ledger.writer
        writer.mutate(self.name, self.args, [at for at, _, _ in writes.values()], position)
        for storage, (at, tensor, _) in writes.items():
            for name in storage.all_names():
                if name != self.args[at]:
                    writer.release(name)
            storage.names, storage.more_names = {looks_at(tensor): self.args[at]}, []


def operator_name(func):
    overload = func._schema.overload_name
    return func._schema.name + (f".{overload}" if overload else "")


def is_bookkeeping(func):
    """The profiler's own marks, which optimizers make even when nothing profiles: no work of the model."""
    return func._schema.name.startswith("profiler::")


class Timer(TorchDispatchMode):
    """Runs each operator and takes its own time: on the device if it works on one, else of a monotonic clock."""

    def __init__(self):
        super().__init__()
        self.operators = []  # names by position
        self._taken = []  # nanoseconds, or a pair of events
        self._device = torch.cuda.is_available() and torch.cuda.is_initialized()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        return func(*args, **kwargs) if is_bookkeeping(func) else self.watch(func, args, kwargs)

    def watch(self, func, args, kwargs):
        self.operators.append(operator_name(func))
        events = None
        if self._device:
            events = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            events[0].record()
        start = time.perf_counter_ns()
        outcome = func(*args, **kwargs)
        taken = time.perf_counter_ns() - start
        if events:
            events[1].record()
            on_device = any(tensor.is_cuda for tensor in tensors_in([args, kwargs, outcome]))
            taken = events if on_device else taken
        self._taken.append(taken)
        return outcome

    def times(self):
        """Nanoseconds by position; after the run."""
        if self._device:
            torch.cuda.synchronize()
        return [taken if isinstance(taken, int) else round(taken[0].elapsed_time(taken[1]) * 1e6) for taken in self._taken]


class Recorder(Timer):
    """A Timer that also keeps the log."""

    def __init__(self):
        super().__init__()
        self.writer = Writer()
        self.ledger = Ledger(self.writer)

    def watch(self, func, args, kwargs):
        self.ledger.release_the_dead()
        operator = Operator(self.ledger, func, args, kwargs)
        position = len(self.operators)
        outcome = super().watch(func, args, kwargs)
        operator.finish(outcome, position)
        return outcome


class AnnotatingEngine:
    """Stands for autograd's engine and notes where a backward pass begins."""

    def __init__(self, engine, writer):
        self._engine = engine
        self._writer = writer

    def run_backward(self, *args, **kwargs):
        self._writer.annotate("BACKWARD")
        return self._engine.run_backward(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self._engine, name)


class record:
    """Context: everything that runs in it goes into the log at `path`, which is written when it ends without an error.

    `model` is a name for people; further keywords (batch=8, ...) are written beside it.
    """

    def __init__(self, path, model="", **about):
        self.path = path
        self.about = {"model": model, **about}

    def __enter__(self):
        gc.collect()  # what is dead in a cycle would otherwise be released at a random place
        self._recorder = Recorder()
        self._recorder.ledger.note_what_is_there()
        self._collects = gc.isenabled()
        gc.disable()
        self._engine = torch.autograd.Variable._execution_engine
        torch.autograd.Variable._execution_engine = AnnotatingEngine(self._engine, self._recorder.writer)
        self._recorder.__enter__()
        return self

    def __exit__(self, kind, error, trace):
        self._recorder.__exit__(kind, error, trace)
        torch.autograd.Variable._execution_engine = self._engine
        if self._collects:
            gc.enable()
        if kind is None:
            self._recorder.ledger.release_the_dead()
            self._recorder.ledger.keep_one_name_each()
            self.operators = self._recorder.operators
            self.times = self._recorder.times()
            self.save()
        return False

    def save(self):
        device = torch.cuda.get_device_name() if self._recorder._device else "cpu"
        header = {"INSTRUCTION": "ANNOTATE", "ANNOTATION": "RECORDED", **self.about, "torch": torch.__version__,
                  "python": sys.version.split()[0], "device": device, "threads": torch.get_num_threads()}
        self._recorder.writer.save(self.path, header, self.times)


def record_step(path, step, repeats=5, warmup=1, model="", **about):
    """Records one run of `step`, a function without arguments; its times are medians over `repeats` more runs.

    Runs are matched by position: every run must call the same operators in the same order. The first runs, `warmup` of
    them, are not recorded: optimizers make their state in them. Each timed run is followed by a bare one, whose median is
    written down as `step_time`. Returns what was recorded, with `times` in nanoseconds by position.
    """
    for _ in range(warmup):
        step()
    with record(path, model, repeats=repeats, **about) as recorded:
        outcome = step()
    del outcome
    runs, bare = [], []
    for _ in range(repeats):
        with Timer() as timer:
            step()
        same_operators(path, recorded.operators, timer.operators)
        runs.append(timer.times())
        bare.append(time_of(step))
    if runs:
        recorded.times = [round(statistics.median(times)) for times in zip(*runs)]
        recorded.about["step_time"] = round(statistics.median(bare))
        recorded.save()
    return recorded


def same_operators(path, recorded, repeated):
    for position, (was, now) in enumerate(zip([*recorded, "the end"], [*repeated, "the end"])):
        if was != now:
            raise RecordError(f"{path}: runs of the step differ: operator {position} was {was} and is {now}; "
                              "repeats=0 takes the times of the recorded run")


def time_of(step):
    """Nanoseconds of one run without a dispatch mode."""
    start = time.perf_counter_ns()
    step()
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return time.perf_counter_ns() - start


def main():
    import demo_models

    parser = argparse.ArgumentParser(prog="pothole_record", description="Records a training step of a stock model.")
    parser.add_argument("--demo", choices=demo_models.DEMOS, required=True)
    parser.add_argument("--batch", type=int, help="one that suits the model if not given")
    parser.add_argument("--out", help="the log; NAME-BATCH.log.gz if not given")
    parser.add_argument("--repeats", type=int, default=5, help="runs whose median the times are")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    make, batch = demo_models.DEMOS[options.demo]
    batch = batch if options.batch is None else options.batch
    if batch < 1 or options.repeats < 0:
        parser.error("--batch must be at least 1, --repeats at least 0")
    path = options.out or f"{options.demo}-{batch}.log.gz"
    torch.manual_seed(options.seed)
    step = make(batch)
    recorded = record_step(path, step, options.repeats, model=options.demo, batch=batch, seed=options.seed)
    of_step = f"; the step takes {recorded.about['step_time'] / 1e6:.1f} ms" if options.repeats else ""
    print(f"{path}: {len(recorded.operators)} operators, {sum(recorded.times) / 1e6:.1f} ms in them{of_step}")


if __name__ == "__main__":
    main()
