# SPDX-License-Identifier: Apache-2.0
"""Curves of a run: probes, balances and profiles, with their references."""
