#!/usr/bin/env python3
"""Hostile tensors: views, writes in place, results that are no new storage, odd sizes and types."""

import unittest

import support
from support import calls, constants, details, place, torch

KIB = torch.zeros(256)  # 1024 bytes, there before any recording


class Views(support.RecorderTest):
    def test_a_view_keeps_the_bytes_of_its_dead_base(self):
        def step():
            base = KIB + 1
            view = base[:2]
            del base
            return (view * 2).clone()

        lines = self.record(step)
        base, view = calls(lines, "aten::add.Tensor")[0]["RESULT"][0], calls(lines, "aten::slice.Tensor")[0]["RESULT"][0]
        use = calls(lines, "aten::mul.Tensor")[0]
        self.assertEqual(use["ARGS"], [view])
        self.assertEqual((details(lines, "MEMORY")[view], details(lines, "ALIAS")[view]), (0, 0))
        self.assertLess(lines.index(use), place(lines, INSTRUCTION="RELEASE", NAME=base))
        self.check_peak(step)

    def test_a_view_of_a_view_is_one_storage(self):
        lines = self.record(lambda: (KIB + 1).view(16, 16).t()[3].unsqueeze(0) * 1)
        made = calls(lines)
        for earlier, later in zip(made[:4], made[1:]):
            self.assertEqual(later["ARGS"], earlier["RESULT"])
        self.assertEqual([details(lines, "ALIAS")[line["RESULT"][0]] for line in made], [-1, 0, 0, 0, 0, -1])

    def test_a_view_that_no_operator_made_is_made_up(self):
        def step():
            base = KIB + 1
            guard = torch._C._DisableTorchDispatch()
            unseen = base[2:4]
            del guard
            return unseen * 2

        lines = self.record(step)
        made = calls(lines, "pothole::view")[0]
        self.assertEqual(made["ARGS"], calls(lines, "aten::add.Tensor")[0]["RESULT"])
        self.assertEqual(calls(lines, "aten::mul.Tensor")[0]["ARGS"], made["RESULT"])

    def test_as_strided_and_expand_have_no_bytes_of_their_own(self):
        self.check_peak(lambda: (KIB + 1).expand(64, 256).as_strided((4, 4), (1, 1)) + 1)

    def test_a_split_is_a_list_of_views(self):
        lines = self.record(lambda: sum((KIB + 1).split(64)[1:]))
        result = calls(lines, "aten::split.Tensor")[0]["RESULT"]
        self.assertEqual([details(lines, "ALIAS")[name] for name in result], [0] * 4)

    def test_a_transposition_in_place_writes_nothing(self):
        lines = self.record(lambda: (KIB + 1).view(16, 16).t_() * 1)
        self.assertEqual(calls(lines, "aten::t_")[0]["INSTRUCTION"], "CALL")
        self.assertFalse([line for line in lines if line["INSTRUCTION"] == "MUTATE"])


class Writes(support.RecorderTest):
    def test_a_write_into_a_view_is_a_new_version_of_the_whole_storage(self):
        def step():
            base = KIB + 1
            base[:4].mul_(3)
            return base * 2

        lines = self.record(step)
        base, view = calls(lines, "aten::add.Tensor")[0]["RESULT"][0], calls(lines, "aten::slice.Tensor")[0]["RESULT"][0]
        write = calls(lines, "aten::mul_.Tensor")[0]
        self.assertEqual((write["INSTRUCTION"], write["ARGS"], write["MUTATE"]), ("MUTATE", [view], [0]))
        self.assertLess(lines.index(write), place(lines, INSTRUCTION="RELEASE", NAME=base))
        again = calls(lines, "pothole::view")[0]
        self.assertEqual(again["ARGS"], [view])
        self.assertEqual(calls(lines, "aten::mul.Tensor")[0]["ARGS"], again["RESULT"])
        # Old and new version, each of 1024 bytes, beside the constant.
        self.assertEqual(support.replay(self.log)["peak_resident"], 3 * 1024)

    def test_what_reads_after_a_write_reads_the_new_version(self):
        def step():
            base = KIB + 1
            before = base * 2
            base.add_(1)
            return before + base

        lines = self.record(step)
        base = calls(lines, "aten::add.Tensor")[0]["RESULT"][0]
        self.assertEqual(place(lines, MUTATE=[0]), place(lines, NAME="aten::add_.Tensor", ARGS=[base]))
        self.assertEqual(calls(lines, "aten::add.Tensor")[-1]["ARGS"][1], base)

    def test_a_write_into_a_constant_adds_no_bytes(self):
        weight = torch.zeros(256)

        def step():
            weight.add_(1)
            return weight * 2

        lines = self.record(step)
        write = calls(lines, "aten::add_.Tensor")[0]
        self.assertEqual(write["INSTRUCTION"], "CALL")
        self.assertEqual(details(lines, "ALIAS")[write["RESULT"][0]], 0)
        self.assertEqual(calls(lines, "aten::mul.Tensor")[0]["ARGS"], write["RESULT"])
        self.check_peak(step)

    def test_one_operator_writes_into_a_constant_and_into_a_result(self):
        weight = torch.zeros(256)
        lines = self.record(lambda: torch._foreach_add_([weight, other := weight * 2], 1.0) or other)
        write = calls(lines, "aten::_foreach_add_.Scalar")[0]
        self.assertEqual([details(lines, "ALIAS")[name] for name in write["RESULT"]], [0, -1])
        # The constant once, the result in two versions.
        self.assertEqual(support.replay(self.log)["peak_resident"], 3 * 1024)

    def test_a_list_is_written_in_place(self):
        def step():
            pair = [KIB + 1, KIB + 2]
            torch._foreach_mul_(pair, 2.0)
            return pair

        write = calls(self.record(step), "aten::_foreach_mul_.Scalar")[0]
        self.assertEqual((write["INSTRUCTION"], write["MUTATE"]), ("MUTATE", [0, 1]))

    def test_out_is_written(self):
        def step():
            out = KIB * 0
            torch.add(KIB, 1, out=out)
            return out

        write = calls(self.record(step), "aten::add.out")[0]
        self.assertEqual((write["INSTRUCTION"], write["ARGS"][write["MUTATE"][0]]), ("MUTATE", write["ARGS"][-1]))

    def test_out_that_grows_is_a_new_storage(self):
        def step():
            out = torch.empty(0)
            torch.add(KIB, 1, out=out)
            return out

        lines = self.record(step)
        grown = calls(lines, "aten::add.out")[0]
        self.assertEqual(grown["INSTRUCTION"], "CALL")
        self.assertEqual(details(lines, "MEMORY")[grown["RESULT"][0]], 1024)
        self.check_peak(step)

    def test_a_tensor_that_is_set_to_another_leaves_its_storage(self):
        def step():
            moved, kept = KIB + 1, KIB + 2
            moved.set_(kept)
            return moved * 2

        lines = self.record(step)
        gone, kept = (line["RESULT"][0] for line in calls(lines, "aten::add.Tensor"))
        use = calls(lines, "aten::mul.Tensor")[0]
        self.assertLess(place(lines, INSTRUCTION="RELEASE", NAME=gone), lines.index(use))
        self.assertLess(lines.index(use), place(lines, INSTRUCTION="RELEASE", NAME=kept))
        self.check_peak(step)


class Results(support.RecorderTest):
    def test_an_operator_that_returns_its_input_makes_no_storage(self):
        library = torch.library.Library("pothole_test", "DEF")
        library.define("same(Tensor x) -> Tensor")
        library.impl("same", lambda x: x, "CPU")
        lines = self.record(lambda: torch.ops.pothole_test.same(KIB + 1) * 2)
        same = calls(lines, "pothole_test::same")[0]
        self.assertEqual(details(lines, "ALIAS")[same["RESULT"][0]], 0)
        self.assertEqual(support.replay(self.log)["peak_resident"], 3 * 1024)

    def test_a_tuple_is_as_many_tensors(self):
        lines = self.record(lambda: torch.sort(KIB + 1))
        names = calls(lines, "aten::sort")[0]["RESULT"]
        self.assertEqual([details(lines, "MEMORY")[name] for name in names], [1024, 2048])

    def test_a_list_of_new_tensors(self):
        lines = self.record(lambda: torch._foreach_add([KIB, KIB[:128]], 1.0))
        names = calls(lines, "aten::_foreach_add.Scalar")[0]["RESULT"]
        self.assertEqual([details(lines, "MEMORY")[name] for name in names], [1024, 512])

    def test_results_that_are_None(self):
        norm = torch.nn.LayerNorm(256, elementwise_affine=False)
        lines = self.record(lambda: torch.autograd.grad(norm(x := KIB.clone().requires_grad_()).sum(), x))
        backward = calls(lines, "aten::native_layer_norm_backward")[0]
        self.assertEqual([details(lines, "MEMORY")[name] for name in backward["RESULT"]], [1024])

    def test_a_number_is_a_tensor_without_bytes_that_is_gone_at_once(self):
        lines = self.record(lambda: KIB.sum().item())
        number = calls(lines, "aten::_local_scalar_dense")[0]["RESULT"][0]
        self.assertEqual(details(lines, "MEMORY")[number], 0)
        place(lines, INSTRUCTION="RELEASE", NAME=number)

    def test_control_flow_that_depends_on_data(self):
        def step():
            x = KIB + 3
            while x.max() > 0:
                x = x - 1
            return x

        self.assertGreaterEqual(len(calls(self.record(step), "aten::sub.Tensor")), 3)
        self.check_peak(step)

    def test_a_tensor_of_unknown_origin_is_a_constant_where_it_is_first_used(self):
        import array

        def step():
            x = KIB + 1
            return torch.frombuffer(array.array("f", [1.0] * 256), dtype=torch.float32) + x

        lines = self.record(step)
        self.assertEqual(len(constants(lines)), 2)
        second = place(lines, INSTRUCTION="CONSTANT", NAME=constants(lines)[1])
        self.assertLess(lines.index(calls(lines)[0]), second)


class OddTensors(support.RecorderTest):
    def test_an_empty_tensor(self):
        lines = self.record(lambda: torch.cat([torch.empty(0), KIB]) + torch.zeros(0, 5).sum())
        name = calls(lines, "aten::empty.memory_format")[0]["RESULT"][0]
        self.assertEqual(details(lines, "MEMORY")[name], 0)

    def test_a_complex_tensor_and_its_views(self):
        def step():
            spectrum = torch.fft.fft(KIB)
            return spectrum.conj().resolve_conj().real + torch.view_as_real(spectrum)[:, 1]

        lines = self.record(step)
        spectrum = calls(lines, "aten::_fft_r2c")[0]["RESULT"][0]
        self.assertGreaterEqual(details(lines, "MEMORY")[spectrum], 256 * 8)
        for view in ("aten::_conj", "aten::view_as_real"):
            self.assertEqual(details(lines, "ALIAS")[calls(lines, view)[0]["RESULT"][0]], 0, view)

    def test_bfloat16_has_two_bytes_and_bool_one(self):
        lines = self.record(lambda: (KIB.bfloat16(), KIB > 0))
        sizes = details(lines, "MEMORY")
        self.assertEqual(sizes[calls(lines, "aten::_to_copy")[0]["RESULT"][0]], 512)
        self.assertEqual(sizes[calls(lines, "aten::gt.Scalar")[0]["RESULT"][0]], 256)

    def test_a_sparse_tensor_is_its_parts(self):
        table = torch.nn.Embedding(8, 4, sparse=True)

        def step():
            table(torch.tensor([1, 5])).sum().backward()
            return table.weight.grad

        lines = self.record(step)
        made = calls(lines, "aten::_sparse_coo_tensor_with_dims_and_tensors")[0]["RESULT"]
        self.assertEqual(len(made), 2)

    def test_a_layout_without_storages_is_refused(self):
        with self.assertRaisesRegex(support.pothole_record.RecordError, "sparse_csr"):
            self.record(lambda: torch.eye(4).to_sparse_csr())


if __name__ == "__main__":
    unittest.main()
