"""Blocks of resamples, and percentile intervals."""

import numpy as np
import pytest

from skeval.utils._resamples import blocks, percentile_ends


@pytest.mark.parametrize(
    ("n_resamples", "size", "expected"),
    [(7, 3, [3, 3, 1]), (6, 3, [3, 3]), (2, 5, [2]), (3, 0, [1, 1, 1]), (0, 4, [])],
)
def test_blocks_hold_all_resamples_and_none_too_many(n_resamples, size, expected):
    assert list(blocks(n_resamples, size)) == expected


def test_percentile_ends_are_order_statistics_of_b_plus_1():
    # 999 replicates: the 25th and the 975th, Davison & Hinkley 1997, section 5.3.1.
    assert percentile_ends(np.arange(1.0, 1000.0), (0.025, 0.975)) == pytest.approx((25, 975))


def test_percentile_ends_between_two_order_statistics_are_interpolated():
    # 4 replicates: 5 x 0.3 = 1.5, half-way from the first to the second.
    assert percentile_ends(np.array([8.0, 2.0, 4.0, 16.0]), (0.3, 0.7)) == pytest.approx((3, 12))
