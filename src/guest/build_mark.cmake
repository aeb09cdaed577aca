# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
set(sums "")
foreach(file IN LISTS FILES)
  file(SHA256 ${file} sum)
  string(APPEND sums ${sum})
endforeach()
string(SHA256 mark "${sums}")
string(SUBSTRING ${mark} 0 16 mark)
file(WRITE ${OUT} "#define BERTH_GUEST_BUILD \"${mark}\"\n")
