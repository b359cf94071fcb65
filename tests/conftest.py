"""Drawn examples are the same in every run; the profile "fuzz" (``SKEVAL_FUZZ=1``) draws new ones."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")
