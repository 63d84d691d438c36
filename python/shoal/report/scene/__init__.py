# SPDX-License-Identifier: Apache-2.0
"""Fields of a run for display: particles or cells over time, in colors."""
