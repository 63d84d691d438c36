# SPDX-License-Identifier: Apache-2.0
"""The output folder of a run: its case, summary, states and tables."""
