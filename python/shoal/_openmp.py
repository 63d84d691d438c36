# SPDX-License-Identifier: Apache-2.0
"""Setting of the OpenMP library of g++, which reads its environment when it is loaded."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def limited_spinning() -> Iterator[None]:
    """Environment in which waiting threads spin briefly before they sleep, as `shoal::limit_openmp_spinning` sets it.

    Without it, runs are several times slower when other work shares the cores. A setting of the user stays. Another
    package that loaded the library earlier has chosen its setting.
    """
    if "GOMP_SPINCOUNT" in os.environ or "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ["GOMP_SPINCOUNT"] = "10000"
    try:
        yield
    finally:
        del os.environ["GOMP_SPINCOUNT"]
