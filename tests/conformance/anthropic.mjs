// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
import Anthropic from '@anthropic-ai/sdk'
import { assert, check, finish, knobs, refuses, urls } from './lib.mjs'

const client = new Anthropic({ apiKey: 'sk-test', baseURL: urls.api, maxRetries: 0 })
const tools = [{ name: 'shell', description: 'Runs a command', input_schema: { type: 'object',
  properties: { command: { type: 'string' } }, required: ['command'] } }]
const ask = (model, more = {}) => ({ model, tools, max_tokens: 1000,
  messages: [{ role: 'user', content: 'List files' }], ...more })
const final = (model, more) => client.messages.stream(ask(model, more)).finalMessage()

await check('models: pages', async () => {
  const names = []
  for await (const model of client.models.list())
    names.push(model.id)
  assert.deepEqual(names, ['fake-model', 'fake-claude'])
})

await check('text: stream, usage, end', async () => {
  const stream = client.messages.stream(ask('text'))
  let text = ''
  stream.on('text', (piece) => { text += piece })
  const whole = await stream.finalMessage()
  assert.equal(whole.content.map((block) => block.text).join(''), text)
  assert.ok(text.length > 5)
  assert.equal(whole.usage.input_tokens, 30)
  assert.equal(whole.usage.output_tokens, 21)
})

await check('two calls, thinking', async () => {
  const whole = await final('tools')
  const calls = whole.content.filter((block) => block.type === 'tool_use')
  assert.deepEqual(calls.map((call) => call.name), ['shell', 'read_file'])
  assert.equal(whole.stop_reason, 'tool_use')
  const thinking = (await final('thinking')).content.find((block) => block.type === 'thinking')
  assert.ok(thinking.signature)
})

await check('scripted: two rounds', async () => {
  await knobs({ replies: [
    { reasoning: 'Hm.', text: 'Let me look.', usage: { input: 11, cached: 4, output: 6 }, calls: [
      { name: 'shell', arguments: { command: 'ls é' } },
      { name: 'shell', arguments: {} }] },
    { text: 'Two files.' }] })
  const first = await final('m')
  assert.equal(first.stop_reason, 'tool_use')
  assert.equal(first.usage.cache_read_input_tokens, 4)
  const calls = first.content.filter((block) => block.type === 'tool_use')
  assert.deepEqual(calls.map((call) => call.input), [{ command: 'ls é' }, {}])
  const history = [{ role: 'user', content: 'x' }, { role: 'assistant', content: first.content }]
  await refuses(() => client.messages.create(ask('m', {
    messages: [...history, { role: 'user', content: 'and?' }] })), Anthropic.BadRequestError,
  /answered by/)
  const results = calls.map((call) => (
    { type: 'tool_result', tool_use_id: call.id, content: 'a\nb' }))
  const second = await final('m', { messages: [...history, { role: 'user', content: results }] })
  assert.equal(second.content[0].text, 'Two files.')
})

await check('errors', async () => {
  const fails = (model, type) => refuses(() => client.messages.create(
    ask(model, { stream: true })), type)
  await fails('e401', Anthropic.AuthenticationError)
  await fails('e400ctx', Anthropic.BadRequestError)
  await fails('e429', Anthropic.RateLimitError)
  await fails('e500', Anthropic.InternalServerError)
  await fails('e529', Anthropic.InternalServerError)
  await knobs({ key: 'sk-other' })
  await fails('text', Anthropic.AuthenticationError)
  await knobs({ key: '' })
})

await check('an error in the stream, a cut', async () => {
  await refuses(() => final('error_mid'), Anthropic.APIError)
  await knobs({ cut: 500 })
  await refuses(() => final('text'), Error)
  await knobs({ cut: null })
})

await check('tokens are counted', async () => {
  const count = await client.messages.countTokens({ model: 'm',
    messages: [{ role: 'user', content: 'x' }] })
  assert.equal(count.input_tokens, 123)
})

finish()
