"""Kinds of input that have broken tools of this sort: one module a kind.

Each holds small inputs written out, with expected values from exact fractions, enumeration or
other systems, and the rule behind them as a property of any input of the kind.
"""
