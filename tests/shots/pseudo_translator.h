// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QTranslator>

namespace berth::shots {

//! Every text in letters with accents and about 40 % longer: shows what is clipped, and what was
//! never translatable.
class PseudoTranslator final : public QTranslator
{
    Q_OBJECT
public:
    using QTranslator::QTranslator;

    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char *context, const char *source,
                                    const char *disambiguation, int n) const override;
};

} // namespace berth::shots
