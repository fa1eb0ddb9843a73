"""Every clause of the rules is held by a test, and no test claims a clause that there is not."""

import itertools

from clauses import clauses_of_the_rules, clauses_of_the_tests, in_order, read_markers, write_table


def test_the_rules_list_their_clauses_without_gaps():
    clauses = clauses_of_the_rules()
    assert clauses[0] == "R1.1"
    for before, after in itertools.pairwise(clauses):
        chapter, number = in_order(before)
        assert in_order(after) in {(chapter, number + 1), (chapter + 1, 1)}


def test_every_clause_has_a_test():
    tests = clauses_of_the_tests()
    missing = [clause for clause in clauses_of_the_rules() if clause not in tests]
    assert not missing, f"no test holds {', '.join(missing)}; mark one with @pytest.mark.clause(...)"


def test_every_marker_names_a_clause():
    unknown = {
        clause: tests for clause, tests in clauses_of_the_tests().items() if clause not in clauses_of_the_rules()
    }
    assert not unknown


def test_markers_are_read_from_functions_and_classes():
    source = (
        "@pytest.mark.clause('R2.1')\nclass TestDeal:\n"
        "    @pytest.mark.slow\n    @pytest.mark.clause('R2.2', 'R2.3')\n    def test_turn(self): ...\n"
        "@pytest.mark.parametrize('clause', ['R9.9'])\ndef test_other(clause): ...\n"
    )
    assert sorted(read_markers(source)) == [("R2.1", "TestDeal"), ("R2.2", "test_turn"), ("R2.3", "test_turn")]


def test_the_table_has_a_row_for_every_clause():
    rows = [row.split("|") for row in write_table().splitlines()[2:]]
    assert all(len(row) == 4 for row in rows)
    assert set(clauses_of_the_rules()) <= {row[1].strip() for row in rows}
