// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
import {
  CapacityUnavailableError, FileNotFoundError, PermissionDeniedError, QuotaExceededError,
  RateLimitedError, SandboxError, SessionNotFoundError, TenkiSandbox, UnauthorizedError,
} from '@tenkicloud/sandbox'
import { assert, check, finish, knobs, refuses, requests, until, urls } from './lib.mjs'

const client = new TenkiSandbox({ authToken: 'tk_DUMMY000000000000', baseUrl: urls.api })
const text = (data) => new TextDecoder().decode(data)
const bytes = (text) => new TextEncoder().encode(text)
const sh = (script) => ['/bin/sh', '-c', script]
let box

/** exec() of a script: the SDK takes program and arguments apart. */
const exec = (script, options = {}) =>
  box.exec('/bin/sh', { args: ['-c', script], ...options })

await check('who am I, usage', async () => {
  assert.equal((await client.whoAmI()).workspaces.length, 1)
  assert.ok((await client.getUsage()).length >= 1)
})

await check('create and wait, get, list', async () => {
  box = await client.createAndWait({
    name: 'berth', maxDurationMs: 3600000, idleTimeoutMinutes: 15, env: { GREETING: 'hola' },
    metadata: { app: 'berth' }, tags: ['ci'],
  })
  assert.equal(box.state, 'RUNNING')
  const again = await client.get(box.id)
  assert.deepEqual([again.name, again.metadata.app], ['berth', 'berth'])
  const left = again.timeoutAt.getTime() - Date.now()
  assert.ok(left > 3500000 && left <= 3600000, `${left} ms left`)
  assert.deepEqual((await client.list()).map((one) => one.id), [box.id])
})

await check('a command: both streams, exit code, directory, variables', async () => {
  const good = await exec('echo out; echo err >&2; echo $GREETING $FOO; pwd',
    { cwd: '/home/tenki', env: { FOO: 'bar' } })
  assert.equal(text(good.stdout), 'out\nhola bar\n/home/tenki\n')
  assert.equal(text(good.stderr), 'err\n')
  assert.equal(good.exitCode, 0)
  assert.equal((await exec('exit 3')).exitCode, 3)
  const missing = await box.run(['/no/such']).then((result) => result, (problem) => problem)
  assert.ok(missing instanceof Error || missing.errno === 2)
})

await check('a command: input, signal', async () => {
  const cat = box.run(['/bin/cat'])
  const writer = cat.stdin.getWriter()
  await writer.write(bytes('hola\n'))
  await writer.close()
  assert.equal(text((await cat).stdout), 'hola\n')
  const long = box.run(['/bin/sleep', '60'])
  assert.ok(await long.pid > 0)
  await long.kill()
  const ended = await long
  assert.deepEqual([ended.exitCode, ended.signal], [137, 'KILL'])
})

await check('files', async () => {
  await box.writeFile('/home/tenki/a.txt', 'contenido ñ')
  assert.equal(text(await box.readFile('/home/tenki/a.txt')), 'contenido ñ')
  await refuses(() => box.readFile('/home/tenki/none'), FileNotFoundError)
  await box.mkdir('/home/tenki/d/e')
  const info = await box.stat('/home/tenki/a.txt')
  assert.deepEqual([Number(info.size), info.mode, info.isDir], [12, 0o644, false])
  await refuses(() => box.stat('/nope'), FileNotFoundError)
  assert.deepEqual((await box.list('/home/tenki')).map((one) => one.isDir), [false, true])
  await box.remove('/home/tenki/d')
  const big = new Uint8Array(300000).fill(120)
  await box.writeFileStream('/home/tenki/big', new Blob([big]).stream())
  let size = 0
  for await (const piece of await box.readFileStream('/home/tenki/big'))
    size += piece.length
  assert.equal(size, 300000)
  assert.equal(text((await exec('wc -c < big')).stdout).trim(), '300000')
})

await check('update, extend', async () => {
  const before = box.timeoutAt.getTime()
  await client.updateSession(box.id, { name: 'renamed', tags: ['ci', 'kept'] })
  const told = await client.get(box.id)
  assert.deepEqual([told.name, told.tags], ['renamed', ['ci', 'kept']])
  await box.extend(600000)
  assert.equal(box.timeoutAt.getTime() - before, 600000)
})

await check('pause and resume: processes and files stay', async () => {
  await exec('setsid sleep 300 >/dev/null 2>&1 </dev/null & echo $! > pid')
  await box.pause()
  assert.equal((await client.get(box.id)).state, 'PAUSED')
  await refuses(() => exec('true'), SandboxError)
  await box.resume()
  await box.waitResumed()
  assert.equal(text((await exec('cat a.txt; kill -0 $(cat pid) && echo alive')).stdout),
    'contenido ñalive\n')
})

await check('a resume that fails is told', async () => {
  await knobs({ resumeFails: 'snapshot is damaged' })
  await box.pause()
  await box.resume()
  await refuses(() => box.waitResumed(), SandboxError, /damaged/)
  await knobs({ resumeFails: '' })
  await box.resume()
  await box.waitResumed()
})

await check('errors', async () => {
  const stranger = new TenkiSandbox({ authToken: 'tk_wrong', baseUrl: urls.api })
  await refuses(() => stranger.whoAmI(), UnauthorizedError)
  await refuses(() => client.get('0190aaaa-0000-7000-8000-00000000dead'), SessionNotFoundError)
  const cases = [
    [8, 'concurrent session limit reached', QuotaExceededError],
    [8, 'rate limit exceeded', RateLimitedError],
    [8, 'no capacity available', CapacityUnavailableError],
    [7, 'workspace suspended', PermissionDeniedError],
    [14, 'upstream unavailable', SandboxError],
  ]
  for (const [grpcStatus, message, type] of cases) {
    await knobs({ faults: [{ match: 'CreateSession$', grpcStatus, message, times: 1 }] })
    await refuses(() => client.create({}), type, new RegExp(message))
  }
  await knobs({ faults: [], quota: 1 })
  await refuses(() => client.create({}), QuotaExceededError)
  await knobs({ quota: 10 })
})

await check('a run without its exit is an error; unknown fields do not harm', async () => {
  await knobs({ faults: [{ match: '/Run$', noExit: true, times: 1 }] })
  await refuses(async () => { await box.run(sh('echo a')) }, Error)
  await knobs({ faults: [{ extra: true }] })
  assert.equal(text((await exec('echo fine')).stdout), 'fine\n')
  assert.equal((await client.get(box.id)).state, 'RUNNING')
  await knobs({ faults: [] })
})

await check('the data plane gets the credential, and not the key', async () => {
  const asked = (await requests()).filter((one) => one.surface === 'data')
  assert.ok(asked.length > 10)
  assert.ok(asked.every((one) => !one.headers.authorization))
  assert.ok(asked.every((one) => one.headers['x-tenki-session-cert']))
})

await check('terminate', async () => {
  await box.close()
  await until(async () => (await client.get(box.id)).state === 'TERMINATED')
  assert.deepEqual(await client.list(), [])
})

finish()
