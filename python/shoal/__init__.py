# SPDX-License-Identifier: Apache-2.0
"""shoal: the operations that eat the run time of fluid-simulation codes, on many-core CPUs and on GPUs."""
