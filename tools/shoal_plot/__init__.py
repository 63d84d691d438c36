# SPDX-License-Identifier: Apache-2.0
"""Reading and drawing what `shoal run` leaves in its output folder."""
