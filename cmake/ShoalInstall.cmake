# SPDX-License-Identifier: Apache-2.0
# find_package(shoal) and pkg-config for the installed library.
