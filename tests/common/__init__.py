"""What every public object must do: lists of the objects, and one module for each property.

`lists` says how to call each public object; each `test_*.py` here holds one property, run on
every entry to which it applies. A public name without an entry fails `test_all_are_listed.py`.
"""
