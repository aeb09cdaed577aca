# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
# The host's side of the guest runner; paths as seen from src/net.
set(BERTH_NET_GUEST_SOURCES
  guest/guest_channel.cpp guest/guest_codec.cpp guest/guest_execution.cpp guest/guest_file_system.cpp
  guest/guest_metrics.cpp guest/guest_shell.cpp guest/guest_write.cpp)
set(BERTH_NET_GUEST_HEADERS
  guest/guest_channel.h guest/guest_codec.h guest/guest_execution.h guest/guest_file_system.h
  guest/guest_metrics.h guest/guest_shell.h guest/guest_write.h)
