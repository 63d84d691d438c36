# SPDX-License-Identifier: Apache-2.0
"""The page: one self-contained HTML file. Style, script and templates are in assets."""
