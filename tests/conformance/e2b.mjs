// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
import {
  AuthenticationError, CommandExitError, FileNotFoundError, InvalidArgumentError, NotFoundError,
  RateLimitError, Sandbox, SandboxError, TimeoutError,
} from 'e2b'
import { assert, check, finish, knobs, refuses, requests, until, urls } from './lib.mjs'

const key = 'e2b_' + '0'.repeat(40)
const to = { apiKey: key, apiUrl: urls.api, sandboxUrl: urls.envd }
let box

await check('create, info', async () => {
  box = await Sandbox.create('base', {
    ...to, timeoutMs: 120000, metadata: { app: 'berth', 'k y': 'a&b=c é' },
    envs: { GREETING: 'hola' }, lifecycle: { onTimeout: 'pause' },
  })
  assert.match(box.sandboxId, /^i[a-z0-9]{20}$/)
  const info = await box.getInfo()
  assert.equal(info.state, 'running')
  assert.equal(info.metadata['k y'], 'a&b=c é')
  const left = info.endAt.getTime() - Date.now()
  assert.ok(left > 100000 && left <= 121000, `${left} ms left`)
  assert.equal(await box.isRunning(), true)
})

await check('list: pages, filters', async () => {
  const other = await Sandbox.create('base', { ...to, metadata: { app: 'other' } })
  const third = await Sandbox.create('base', { ...to, metadata: { app: 'other' } })
  const paginator = Sandbox.list({ ...to, limit: 2 })
  const seen = []
  while (paginator.hasNext) {
    const page = await paginator.nextItems()
    assert.ok(page.length <= 2)
    seen.push(...page.map((one) => one.sandboxId))
  }
  assert.deepEqual(new Set(seen), new Set([box.sandboxId, other.sandboxId, third.sandboxId]))
  assert.equal(seen.length, 3)
  const mine = await Sandbox.list({
    ...to, query: { metadata: { app: 'berth', 'k y': 'a&b=c é' }, state: ['running'] },
  }).nextItems()
  assert.deepEqual(mine.map((one) => one.sandboxId), [box.sandboxId])
  await other.kill()
  assert.equal(await Sandbox.kill(third.sandboxId, to), true)
  assert.equal(await Sandbox.kill(third.sandboxId, to), false)
})

await check('a command: both streams, exit code, directory, variables', async () => {
  const good = await box.commands.run('echo out; echo err >&2; echo "$GREETING $FOO"; pwd; id -un',
    { envs: { FOO: 'bár' }, cwd: '/tmp' })
  assert.equal(good.exitCode, 0)
  assert.equal(good.stdout, 'out\nhola bár\n/tmp\nuser\n')
  assert.equal(good.stderr, 'err\n')
  const bad = await refuses(() => box.commands.run('echo x; echo bad >&2; exit 3'),
    CommandExitError)
  assert.deepEqual([bad.exitCode, bad.stdout, bad.stderr], [3, 'x\n', 'bad\n'])
  assert.equal((await box.commands.run('id -un', { user: 'root' })).stdout, 'root\n')
})

await check('a command: output as it comes, split characters', async () => {
  const pieces = []
  await box.commands.run("printf '\\xc3'; sleep 0.1; printf '\\xa9'; sleep 0.1; echo ' end'",
    { onStdout: (data) => { pieces.push([Date.now(), data]) } })
  assert.equal(pieces.map((one) => one[1]).join(''), 'é end\n')
  assert.ok(pieces.at(-1)[0] - pieces[0][0] > 50)
})

await check('a command: refusals, time limit, kill', async () => {
  await refuses(() => box.commands.run('true', { cwd: '/nope' }), InvalidArgumentError, /\/nope/)
  await refuses(() => box.commands.run('true', { user: 'nobody9' }), AuthenticationError)
  await refuses(() => box.commands.run('sleep 60', { timeoutMs: 600 }), TimeoutError)
  const running = await box.commands.run('sleep 60', { background: true })
  assert.equal(await running.kill(), true)
  await refuses(() => running.wait(), CommandExitError, /signal: killed/)
  assert.equal(await box.commands.kill(999999), false)
})

await check('a command: input, list, connect', async () => {
  const cat = await box.commands.run('cat; echo done', { background: true, stdin: true })
  // What was to end at its time limit may be there for a moment more.
  await until(async () => String((await box.commands.list()).map((one) => one.pid)) ===
    String(cat.pid))
  await box.commands.sendStdin(cat.pid, 'one\n')
  await until(() => cat.stdout === 'one\n')
  const second = await box.commands.connect(cat.pid)
  await box.commands.sendStdin(cat.pid, 'two\n')
  await box.commands.closeStdin(cat.pid)
  assert.equal((await cat.wait()).stdout, 'one\ntwo\ndone\n')
  assert.equal((await second.wait()).stdout, 'two\ndone\n')
})

await check('a terminal: real, resized, killed', async () => {
  let seen = ''
  const pty = await box.pty.create({
    cols: 80, rows: 24, onData: (data) => { seen += new TextDecoder().decode(data) },
  })
  await box.pty.sendInput(pty.pid, new TextEncoder().encode('stty size; echo hi-$((1+1))\n'))
  await until(() => seen.includes('24 80') && seen.includes('hi-2'))
  await box.pty.resize(pty.pid, { cols: 100, rows: 30 })
  await box.pty.sendInput(pty.pid, new TextEncoder().encode('stty size\n'))
  await until(() => seen.includes('30 100'))
  assert.equal(await box.pty.kill(pty.pid), true)
})

await check('files', async () => {
  const written = await box.files.write('/home/user/dir a/hé.txt', 'contenido ñ')
  assert.equal(written.path, '/home/user/dir a/hé.txt')
  assert.equal(await box.files.read('dir a/hé.txt'), 'contenido ñ')
  await box.files.write('rel.bin', new Uint8Array([0, 1, 2, 255]).buffer)
  assert.deepEqual([...await box.files.read('rel.bin', { format: 'bytes' })], [0, 1, 2, 255])
  await box.files.write([{ path: 'm/a', data: 'A' }, { path: 'm/b', data: 'B' }])
  await box.files.write('empty', '')
  assert.equal(await box.files.read('empty'), '')
  assert.deepEqual((await box.files.list('.')).map((one) => one.name).sort(),
    ['dir a', 'empty', 'm', 'rel.bin'])
  assert.equal(await box.files.makeDir('nd/x'), true)
  assert.equal(await box.files.makeDir('nd/x'), false)
  const moved = await box.files.rename('rel.bin', 'nd/r2.bin')
  assert.equal(moved.path, '/home/user/nd/r2.bin')
  const info = await box.files.getInfo('nd/r2.bin')
  assert.deepEqual([info.type, info.size, info.mode, info.owner], ['file', 4, 0o644, 'user'])
  assert.equal(await box.files.exists('gone'), false)
  await box.files.remove('m')
  assert.equal(await box.files.exists('m/a'), false)
  await refuses(() => box.files.read('gone'), FileNotFoundError, /does not exist/)
  await refuses(() => box.files.rename('zzz', 'yyy'), NotFoundError)
  await refuses(() => box.files.read('/home/user'), InvalidArgumentError, /is a directory/)
})

await check('files: what a command writes is what the service reads', async () => {
  await box.commands.run('head -c 300000 /dev/zero | tr "\\0" x > /home/user/big')
  assert.equal((await box.files.read('big')).length, 300000)
  const signed = await box.downloadUrl('big')
  const answer = await fetch(signed, {
    headers: { 'E2b-Sandbox-Id': box.sandboxId, 'E2b-Sandbox-Port': '49983' },
  })
  assert.equal((await answer.text()).length, 300000)
})

await check('files: changes are told', async () => {
  const seen = []
  const watch = await box.files.watchDir('/home/user', (event) => { seen.push(event) })
  await box.files.write('watched', 'w')
  await box.files.remove('watched')
  await until(() => seen.some((one) => one.name === 'watched' && one.type === 'create') &&
    seen.some((one) => one.name === 'watched' && one.type === 'remove'))
  await watch.stop()
})

await check('time to live, metrics', async () => {
  await box.setTimeout(60000)
  const left = (await box.getInfo()).endAt.getTime() - Date.now()
  assert.ok(left > 50000 && left <= 61000, `${left} ms left`)
  const metrics = await box.getMetrics()
  assert.ok(metrics.at(-1).memTotal > 1e8)
})

await check('pause and resume: processes and files stay', async () => {
  const cat = await box.commands.run('cat', { background: true, stdin: true })
  assert.equal(await box.pause(), true)
  assert.equal(await box.pause(), false)
  assert.equal(await box.isRunning(), false)
  await refuses(() => box.commands.run('true'), SandboxError)
  const paused = await Sandbox.list({ ...to, query: { state: ['paused'] } }).nextItems()
  assert.deepEqual(paused.map((one) => one.sandboxId), [box.sandboxId])
  const again = await Sandbox.connect(box.sandboxId, { ...to, timeoutMs: 90000 })
  assert.equal(again.sandboxId, box.sandboxId)
  assert.equal(await again.files.read('empty'), '')
  assert.deepEqual((await again.commands.list()).map((one) => one.pid), [cat.pid])
  await again.commands.kill(cat.pid)
  box = again
})

await check('a life that ends: killed, or paused', async () => {
  await knobs({ secondMs: 100 })
  const short = await Sandbox.create('base', { ...to, timeoutMs: 5000 })
  const kept = await Sandbox.create('base',
    { ...to, timeoutMs: 5000, lifecycle: { onTimeout: 'pause' } })
  await until(async () => !(await short.isRunning()))
  await refuses(() => Sandbox.getInfo(short.sandboxId, to), NotFoundError)
  await until(async () => (await Sandbox.getInfo(kept.sandboxId, to)).state === 'paused')
  await Sandbox.kill(kept.sandboxId, to)
  await knobs({ secondMs: 1000 })
})

await check('errors', async () => {
  await refuses(() => Sandbox.create('base', { ...to, apiKey: 'e2b_' + 'f'.repeat(40) }),
    AuthenticationError, /Invalid API key/)
  await refuses(() => Sandbox.create('no-such-template', to), SandboxError,
    /template 'no-such-template' not found/)
  await refuses(() => Sandbox.getInfo('idoesnotexist0000000', to), NotFoundError)
  await refuses(() => Sandbox.connect('idoesnotexist0000000', to), NotFoundError)
  await refuses(() => Sandbox.create('base', { ...to, timeoutMs: 90000000 }), SandboxError,
    /greater than 24 hours/)
  await knobs({ faults: [{ match: 'POST /v2/sandboxes$', status: 503, times: 1,
    body: { code: 503, message: 'no capacity', error_code: 'sandbox_capacity_unavailable' } }] })
  await refuses(() => Sandbox.create('base', to), Error, /no capacity/)
  await knobs({ concurrency: 1 })
  await refuses(() => Sandbox.create('base', to), RateLimitError, /maximum number of concurrent/)
  await knobs({ concurrency: 20, faults: [] })
})

await check('429 with Retry-After is waited for', async () => {
  const before = (await requests()).length
  await knobs({ faults: [{ match: 'GET /v2/sandboxes', status: 429, times: 1,
    headers: { 'Retry-After': '1' }, body: { code: 429, message: 'Rate limit exceeded' } }] })
  const began = Date.now()
  const found = await Sandbox.list(to).nextItems()
  assert.ok(found.length >= 1)
  assert.ok(Date.now() - began >= 900)
  const asked = (await requests(before)).filter((one) => one.path === '/v2/sandboxes')
  assert.deepEqual(asked.map((one) => one.status), [429, 200])
})

await check('a stream without its end is an error', async () => {
  await knobs({ faults: [{ match: 'process.Process/Start', cutAfter: 60, times: 1 }] })
  await refuses(() => box.commands.run('echo a; sleep 0.2; echo b; sleep 0.2; echo c'), Error)
  await knobs({ faults: [{ match: 'process.Process/Start', chunk: 3, times: 1 }], eventBytes: 1 })
  assert.equal((await box.commands.run('printf "héé"')).stdout, 'héé')
  await knobs({ faults: [], eventBytes: 32768 })
})

await check('members that nobody knows do not harm', async () => {
  await knobs({ faults: [{ extra: true }] })
  assert.equal((await box.getInfo()).state, 'running')
  assert.ok((await Sandbox.list(to).nextItems()).length >= 1)
  await knobs({ faults: [] })
})

await check('kill', async () => {
  assert.equal(await box.kill(), true)
  assert.equal(await box.isRunning(), false)
  assert.equal(await Sandbox.kill(box.sandboxId, to), false)
})

finish()
