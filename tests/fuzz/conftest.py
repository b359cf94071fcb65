"""The profile "fuzz": ``SKEVAL_FUZZ=1 python -m pytest tests/fuzz`` tries many more inputs."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fuzz", max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
if os.environ.get("SKEVAL_FUZZ"):
    settings.load_profile("fuzz")
