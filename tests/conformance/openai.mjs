// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
import OpenAI from 'openai'
import { assert, check, finish, knobs, refuses, urls } from './lib.mjs'

const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${urls.api}/v1`, maxRetries: 0 })
const tools = [{ type: 'function', function: { name: 'shell', description: 'Runs a command',
  parameters: { type: 'object', properties: { command: { type: 'string' } },
    required: ['command'] } } }]
const ask = (model, more = {}) => ({ model, tools,
  messages: [{ role: 'user', content: 'List files' }], stream_options: { include_usage: true }, ...more })

await check('models', async () => {
  const names = []
  for await (const model of client.models.list())
    names.push(model.id)
  assert.deepEqual(names, ['fake-model', 'fake-claude'])
})

await check('text: stream, usage, end', async () => {
  const stream = client.chat.completions.stream(ask('text'))
  let text = ''
  stream.on('content', (piece) => { text += piece })
  const whole = await stream.finalChatCompletion()
  assert.equal(whole.choices[0].message.content, text)
  assert.equal(whole.choices[0].finish_reason, 'stop')
  assert.ok(text.length > 5)
  assert.equal(whole.usage.total_tokens, 59)
})

await check('two calls whose pieces come mixed', async () => {
  const whole = await client.chat.completions.stream(ask('tools')).finalChatCompletion()
  const calls = whole.choices[0].message.tool_calls
  assert.deepEqual(calls.map((call) => call.function.name), ['shell', 'read_file'])
  assert.equal(JSON.parse(calls[0].function.arguments).command,
    'ls -la "/tmp/a b" && echo "é😀"')
})

await check('scripted: two rounds', async () => {
  await knobs({ replies: [
    { text: 'Let me look.', usage: { input: 11, cached: 4, output: 6 }, calls: [
      { name: 'shell', arguments: { command: 'ls é' } },
      { name: 'shell', arguments: { command: 'pwd' } }] },
    { text: 'Two files.' }] })
  const first = await client.chat.completions.stream(ask('m')).finalChatCompletion()
  const message = first.choices[0].message
  assert.equal(first.choices[0].finish_reason, 'tool_calls')
  assert.equal(first.usage.prompt_tokens, 15)
  assert.equal(JSON.parse(message.tool_calls[0].function.arguments).command, 'ls é')
  const unanswered = ask('m', { messages: [{ role: 'user', content: 'x' }, message,
    { role: 'user', content: 'and?' }] })
  await refuses(() => client.chat.completions.create(unanswered), OpenAI.BadRequestError,
    /without an answer/)
  const results = message.tool_calls.map((call) => (
    { role: 'tool', tool_call_id: call.id, content: 'a\nb' }))
  const second = await client.chat.completions.create(
    { model: 'm', messages: [{ role: 'user', content: 'x' }, message, ...results] })
  assert.equal(second.choices[0].message.content, 'Two files.')
})

await check('framing of proxies, refusals, reasoning', async () => {
  const framed = await client.chat.completions.create(ask('framing', { stream: true }))
  let text = ''
  for await (const chunk of framed)
    text += chunk.choices[0]?.delta?.content ?? ''
  assert.equal(text, 'ab😀écde')
  const refused = await client.chat.completions.stream(ask('refusal')).finalChatCompletion()
  assert.equal(refused.choices[0].message.refusal, 'I cannot.')
})

await check('errors', async () => {
  const fails = (model, type) => refuses(() => client.chat.completions.create(
    ask(model, { stream: true })), type)
  await fails('e401', OpenAI.AuthenticationError)
  await fails('e403', OpenAI.PermissionDeniedError)
  await fails('e404', OpenAI.NotFoundError)
  const full = await fails('e400ctx', OpenAI.BadRequestError)
  assert.equal(full.code, 'context_length_exceeded')
  const limited = await fails('e429', OpenAI.RateLimitError)
  assert.equal(limited.headers.get('retry-after'), '1')
  await fails('e500', OpenAI.InternalServerError)
  await fails('ehtml', OpenAI.InternalServerError)
  await knobs({ key: 'sk-other' })
  await fails('text', OpenAI.AuthenticationError)
  await knobs({ key: '' })
})

await check('an error in the stream, a cut', async () => {
  const read = async (model) => {
    for await (const chunk of await client.chat.completions.create(ask(model, { stream: true })))
      assert.ok(chunk.id)
  }
  await refuses(() => read('error_mid'), OpenAI.APIError)
  await knobs({ cut: 500 })
  await refuses(() => read('text'), Error)
  await knobs({ cut: null })
})

await check('its own retries', async () => {
  await knobs({ faults: [{ match: 'chat', times: 1, status: 429,
    headers: { 'retry-after-ms': '20' } }] })
  const patient = new OpenAI({ apiKey: 'k', baseURL: `${urls.api}/v1`, maxRetries: 1 })
  const answer = await patient.chat.completions.create({ model: 'm',
    messages: [{ role: 'user', content: 'x' }] })
  assert.equal(answer.choices[0].message.content, 'Hello')
})

finish()
