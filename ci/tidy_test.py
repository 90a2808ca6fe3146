#!/usr/bin/env python3
"""Each check of tidy.py finds what it is for and leaves the allowed alone."""

import unittest

import tidy


def findings(path, text):
    return list(tidy.check(path, text))


class Tidy(unittest.TestCase):
    def test_a_lower_folder_may_not_include_a_higher_one(self):
        self.assertIn("engine/ may not include corpus/", findings("engine/a.cpp", '// x\n#include "corpus/b.h"\n')[0])
        self.assertEqual(findings("corpus/a.cpp", '// x\n#include "engine/b.h"\n'), [])
        self.assertEqual(findings("tests/a_test.cpp", '#include "cli/b.h"\n'), [])

    def test_siblings_do_not_see_each_other(self):
        self.assertEqual(len(findings("shrinker/a.cpp", '// x\n#include "corpus/b.h"\n')), 1)

    def test_libraries_stay_behind_their_doors(self):
        self.assertEqual(findings("engine/parallel_tbb.cpp", "// x\n#include <tbb/parallel_for.h>\n"), [])
        self.assertEqual(len(findings("engine/run.cpp", "// x\n#include <tbb/parallel_for.h>\n")), 1)
        self.assertEqual(findings("cli/map_report.cpp", "// x\n#include <nlohmann/json.hpp>\n"), [])
        self.assertEqual(len(findings("cli/main.cpp", "// x\n#include <nlohmann/json.hpp>\n")), 1)
        self.assertEqual(len(findings("corpus/a.h", "// x\n#pragma once\n#include <nlohmann/json.hpp>\n")), 1)

    def test_long_files_and_missing_openings(self):
        self.assertEqual(findings("engine/a.cpp", "// x\n" * 600), [])
        self.assertEqual(len(findings("engine/a.cpp", "// x\n" * 601)), 1)
        self.assertEqual(len(findings("engine/a.cpp", "int a;\n")), 1)
        self.assertEqual(findings("engine/a.cpp", '#include "engine/a.h"\n'), [])
        self.assertEqual(len(findings("engine/a.h", "// x\n")), 1)

    def test_unfinished_work(self):
        self.assertEqual(len(findings("engine/a.cpp", "// x\n// TO" + "DO later\n")), 1)
        self.assertEqual(len(findings("README.md", "this is not imple" + "mented\n")), 1)
        self.assertEqual(findings("README.md", "todos are listed elsewhere\n"), [])

    def test_a_skip_must_say_why(self):
        self.assertEqual(len(findings("tests/a_test.cpp", "GTEST_SKIP()" + ";\n")), 1)
        self.assertEqual(findings("tests/a_test.cpp", 'GTEST_SKIP() << "no traces";\n'), [])


if __name__ == "__main__":
    unittest.main()
