# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
file(READ ${IN} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
file(WRITE ${OUT} "// Generated from the runner's binary.
extern const char berthGuestArch[];
extern const unsigned char berthGuestBytes[];
extern const unsigned long berthGuestSize;
const char berthGuestArch[] = \"${ARCH}\";
const unsigned char berthGuestBytes[] = {
${hex}};
const unsigned long berthGuestSize = sizeof berthGuestBytes;
")
