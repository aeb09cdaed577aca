// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Linked with the whole of one library: the link fails when it calls what it did not declare.
int main()
{
    return 0;
}
