// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"
#include "domain/provider/health.h"
#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtCore/QString>

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>

// The port to a language model, whatever it speaks on the wire.
namespace berth::domain {

//! A call that a model asked for. With a problem it must not be run: its arguments were cut or are
//! no JSON, and the model gets the problem as the call's result.
struct ModelCall
{
    //! The model's own, or invented ("call_<uuid>") where it gave none; unique within the history.
    QString id;
    QString name;
    //! A JSON object as text; "{}" when the model sent nothing.
    QByteArray arguments;
    QString problem;
    bool operator==(const ModelCall &) const = default;
};

struct ModelImage
{
    //! "image/png"
    QString mediaType;
    QByteArray bytes;
    bool operator==(const ModelImage &) const = default;
};

enum class ModelRole { User, Assistant, ToolResult };

//! One entry of the history that a model sees.
struct ModelTurn
{
    ModelRole role = ModelRole::User;
    QString text;
    //! Of an assistant's turn; shown, and sent back only where the dialect wants it.
    QString reasoning;
    //! What the dialect needs back unchanged beside the reasoning (signatures); empty: nothing.
    QByteArray opaque;
    QList<ModelCall> calls;
    //! Of a tool's result: which call it answers, and whether it tells of a failure.
    QString callId;
    bool isError = false;
    QList<ModelImage> images;
    bool operator==(const ModelTurn &) const = default;
};

struct ModelTool
{
    QString name;
    QString description;
    //! A JSON schema as text: an object with flat properties.
    QByteArray schema;
    bool operator==(const ModelTool &) const = default;
};

struct ModelRequest
{
    QString model;
    QString system;
    QList<ModelTurn> turns;
    QList<ModelTool> tools;
    //! Not empty: the model must call this tool.
    QString forcedTool;
    //! 0: the endpoint's own setting.
    int maxTokens = 0;
};

//! What a reply used; absent where the endpoint did not say.
struct ModelUsage
{
    //! Without those read from a cache.
    std::optional<qint64> inputTokens;
    std::optional<qint64> cachedTokens;
    std::optional<qint64> outputTokens;
    std::optional<qint64> reasoningTokens;
    //! In the currency of the endpoint's prices, only where the endpoint itself said it.
    std::optional<double> cost;
    bool operator==(const ModelUsage &) const = default;
};

enum class ModelStop { End, ToolCalls, Length, ContentFilter, Refused, Failed, Cancelled };

struct ModelReply
{
    //! What came, also when it was cut; calls of a cut reply have a problem.
    ModelTurn turn;
    ModelUsage usage;
    ModelStop stop = ModelStop::Failed;
    //! Set when stop is Failed.
    std::optional<Error> error;
};

//! A reply as it comes. finished() comes exactly once and last, and never before the caller's event
//! loop ran.
class ModelReplyStream : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    //! Closes the connection: what came until then is the reply, with ModelStop::Cancelled. Does
    //! nothing after the end.
    virtual void stop() = 0;
    //! While it waits to try again: now.
    virtual void retryNow() = 0;

Q_SIGNALS:
    void textGrew(const QString &piece);
    void reasoningGrew(const QString &piece);
    //! A call has begun or grew; \a name may still be empty.
    void callGrew(int index, const QString &name, qint64 argumentBytes);
    //! It will be tried again in \a wait because of \a why; nothing of the reply has come yet.
    void waiting(std::chrono::milliseconds wait, const berth::domain::Error &why);
    void finished(const berth::domain::ModelReply &reply);
};

struct OfferedModel
{
    QString id;
    QString name;
    //! 0: not known.
    qint64 contextTokens = 0;
    bool operator==(const OfferedModel &) const = default;
};

//! One endpoint. Lives on the Engine's thread.
class ModelClient
{
public:
    virtual ~ModelClient() = default;

    //! Starts at once; deleting the stream stops it.
    [[nodiscard]] virtual std::unique_ptr<ModelReplyStream> ask(ModelRequest request) = 0;
    [[nodiscard]] virtual Async<QList<OfferedModel>> models(std::stop_token stop) = 0;
    //! The size of the model's context in tokens as the server runs it; 0: it does not say.
    [[nodiscard]] virtual Async<qint64> contextTokens(QString model, std::stop_token stop) = 0;
    //! Test connection: list, one-token reply, one forced tool call, context size; each step is
    //! told as it ends.
    [[nodiscard]] virtual Async<HealthReport> check(QString model, StepSink step,
                                                    std::stop_token stop) = 0;
};

} // namespace berth::domain

Q_DECLARE_METATYPE(berth::domain::ModelReply)
