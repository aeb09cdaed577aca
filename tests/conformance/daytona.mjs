// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
import {
  Daytona, DaytonaAuthenticationError, DaytonaBadRequestError, DaytonaConflictError, DaytonaError,
  DaytonaNotFoundError, DaytonaRateLimitError, DaytonaTimeoutError,
} from '@daytonaio/sdk'
import { assert, check, finish, knobs, refuses, until, urls } from './lib.mjs'

const daytona = new Daytona({ apiKey: 'dtn_test', apiUrl: `${urls.api}/api`, target: 'us' })
let box

await check('create, get by id and by name', async () => {
  box = await daytona.create({
    name: 'box-1', envVars: { FOO: 'bar' }, labels: { app: 'demo' }, autoStopInterval: 30,
    autoArchiveInterval: 60, autoDeleteInterval: 120,
  })
  assert.equal(box.state, 'started')
  assert.equal((await daytona.get(box.id)).name, 'box-1')
  assert.equal((await daytona.get('box-1')).id, box.id)
  assert.equal(await box.getUserHomeDir(), '/home/daytona')
})

await check('create from an image: built first', async () => {
  const built = await daytona.create({ image: 'ubuntu:24.04', resources: { cpu: 2, memory: 4 } })
  assert.equal(built.state, 'started')
  assert.equal(built.cpu, 2)
  await built.delete()
})

await check('create: refusals', async () => {
  await refuses(() => daytona.create({ snapshot: 'nope' }), DaytonaBadRequestError, /not found/)
  await refuses(() => daytona.create({ name: 'box-1' }), DaytonaConflictError, /already exists/)
  await knobs({ createFails: 'start' })
  await refuses(() => daytona.create({ name: 'broken' }), DaytonaBadRequestError,
    /failed to start/)
  await knobs({ createFails: '' })
  const broken = await daytona.get('broken')
  assert.equal(broken.state, 'error')
  await refuses(() => broken.start(), DaytonaError, /errored state/)
  await broken.delete()
})

await check('list: pages, labels, states', async () => {
  const more = []
  for (const name of ['l1', 'l2', 'l3'])
    more.push(await daytona.create({ name, labels: { app: 'many' } }))
  const seen = []
  for await (const one of daytona.list({ limit: 2 }))
    seen.push(one.name)
  assert.deepEqual(seen.filter((name) => name !== 'broken').sort(), ['box-1', 'l1', 'l2', 'l3'])
  const labelled = []
  for await (const one of daytona.list({ labels: { app: 'many' }, states: ['started'] }))
    labelled.push(one.name)
  assert.deepEqual(labelled.sort(), ['l1', 'l2', 'l3'])
  await Promise.all(more.map((one) => one.delete()))
})

await check('a command: merged streams, exit code, directory, variables, time limit', async () => {
  const good = await box.process.executeCommand('pwd; echo $FOO-$X; echo err >&2; exit 3', '/tmp',
    { X: '1' })
  assert.equal(good.exitCode, 3)
  assert.equal(good.result, '/tmp\nbar-1\nerr\n')
  const unicode = await box.process.executeCommand("printf 'h\\303\\251llo \\360\\237\\230\\200'")
  assert.equal(unicode.result, 'héllo 😀')
  await refuses(() => box.process.executeCommand('sleep 5', undefined, undefined, 1),
    DaytonaTimeoutError)
  const missing = await box.process.executeCommand('pwd', '/no/such/dir')
  assert.deepEqual([missing.exitCode, missing.result],
    [-1, 'fork/exec /usr/bin/bash: no such file or directory'])
  await refuses(() => box.process.executeCommand('  '), DaytonaBadRequestError)
})

await check('a session: state stays, streams apart, followed, fed', async () => {
  await box.process.createSession('s1')
  await refuses(() => box.process.createSession('s1'), DaytonaConflictError)
  const first = await box.process.executeSessionCommand('s1',
    { command: 'export V=42; cd /tmp; echo so; echo se >&2' })
  assert.deepEqual([first.stdout, first.stderr, first.exitCode], ['so\n', 'se\n', 0])
  const second = await box.process.executeSessionCommand('s1', { command: 'pwd; echo $V; false' })
  assert.deepEqual([second.stdout, second.exitCode], ['/tmp\n42\n', 1])
  const slow = await box.process.executeSessionCommand('s1', {
    command: 'for i in 1 2 3; do echo line$i; sleep 0.1; done; echo bad >&2; false',
    runAsync: true,
  })
  let out = ''
  let err = ''
  await box.process.getSessionCommandLogs('s1', slow.cmdId, (text) => { out += text },
    (text) => { err += text })
  assert.deepEqual([out, err], ['line1\nline2\nline3\n', 'bad\n'])
  assert.equal((await box.process.getSessionCommand('s1', slow.cmdId)).exitCode, 1)
  const asks = await box.process.executeSessionCommand('s1',
    { command: 'read a; echo got:$a', runAsync: true })
  await box.process.sendSessionCommandInput('s1', asks.cmdId, 'hey')
  await until(async () =>
    (await box.process.getSessionCommand('s1', asks.cmdId)).exitCode === 0)
  const logs = await box.process.getSessionCommandLogs('s1', asks.cmdId)
  assert.equal(logs.stdout, 'hey\ngot:hey\n')
  assert.equal((await box.process.getSession('s1')).commands.length, 4)
  await box.process.deleteSession('s1')
  await refuses(() => box.process.getSession('s1'), DaytonaNotFoundError)
})

await check('a session whose shell was ended hangs until it is deleted', async () => {
  await box.process.createSession('s2')
  const hung = refuses(() => box.process.executeSessionCommand('s2', { command: 'exit 3' }),
    DaytonaError, /session cancelled/)
  await until(async () => (await box.process.getSession('s2')).commands.length === 1)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await refuses(() => box.process.executeSessionCommand('s2', { command: 'true' }), DaytonaError,
    /broken pipe/)
  await box.process.deleteSession('s2')
  await hung
})

await check('a terminal: real, resized, exit code, kill', async () => {
  let seen = ''
  const pty = await box.process.createPty({
    id: 'p1', cols: 100, rows: 30, envs: { Q: '7' },
    onData: (data) => { seen += new TextDecoder().decode(data) },
  })
  await pty.waitForConnection()
  await pty.sendInput('stty size; echo pty-$Q\n')
  await until(() => seen.includes('30 100') && seen.includes('pty-7'))
  await pty.resize(120, 40)
  assert.equal((await box.process.getPtySessionInfo('p1')).cols, 120)
  await pty.sendInput('exit 5\n')
  assert.equal((await pty.wait()).exitCode, 5)
  const second = await box.process.createPty({ id: 'p2', onData: () => {} })
  await second.waitForConnection()
  await box.process.killPtySession('p2')
  assert.equal((await second.wait()).exitCode, 137)
  await refuses(() => box.process.connectPty('nope', { onData: () => {} }), Error)
})

await check('files', async () => {
  const fs = box.fs
  await fs.createFolder('work', '755')
  await fs.uploadFile(Buffer.from('first line\nsecond needle line\n'), 'work/a file.txt')
  await fs.uploadFiles([
    { source: Buffer.from([0, 1, 2, 255]), destination: 'work/bin.dat' },
    { source: Buffer.from('x'), destination: 'work/sub/deep/x.py' },
  ])
  assert.deepEqual([...await fs.downloadFile('work/bin.dat')], [0, 1, 2, 255])
  assert.equal((await fs.downloadFile('work/a file.txt')).toString(),
    'first line\nsecond needle line\n')
  const listed = await fs.listFiles('work')
  assert.deepEqual(listed.map((one) => [one.name, one.isDir]),
    [['a file.txt', false], ['bin.dat', false], ['sub', true]])
  assert.deepEqual((await fs.findFiles('work', 'needle')).map((one) => one.line), [2])
  assert.equal((await fs.searchFiles('work', '*.py')).files.length, 1)
  await fs.replaceInFiles(['work/a file.txt'], 'needle', 'thread')
  assert.match((await fs.downloadFile('work/a file.txt')).toString(), /second thread line/)
  await fs.moveFiles('work/bin.dat', 'work/bin2.dat')
  await refuses(() => fs.moveFiles('work/bin2.dat', 'work/a file.txt'), DaytonaConflictError)
  await fs.setFilePermissions('work/bin2.dat', { mode: '600' })
  assert.equal((await fs.getFileDetails('work/bin2.dat')).permissions, '0600')
  await refuses(() => fs.downloadFile('work/none'), DaytonaNotFoundError)
  await refuses(() => fs.listFiles('/none'), DaytonaNotFoundError)
  await refuses(() => fs.deleteFile('work'), DaytonaBadRequestError, /recursive/)
  await fs.deleteFile('work', true)
  const left = await box.process.executeCommand('ls /home/daytona | wc -l')
  assert.equal(left.result.trim(), '0')
})

await check('labels, intervals, preview, metrics', async () => {
  await box.setLabels({ app: 'demo', tier: 'x' })
  assert.equal((await daytona.get(box.id)).labels.tier, 'x')
  await box.setAutostopInterval(0)
  assert.equal((await daytona.get(box.id)).autoStopInterval, 0)
  await box.setAutoDeleteInterval(-1)
  const preview = await box.getPreviewLink(3000)
  assert.match(preview.url, new RegExp(`3000-${box.id}`))
  assert.ok((await box.getMetricsLatest()).memTotal > 1e8)
})

await check('stop and start: processes end, files stay', async () => {
  await box.fs.uploadFile(Buffer.from('kept'), 'kept')
  await box.process.executeCommand('setsid sleep 300 >/dev/null 2>&1 </dev/null &')
  await refuses(() => box.archive(), DaytonaBadRequestError, /not stopped/)
  await box.stop()
  assert.equal(box.state, 'stopped')
  await refuses(() => box.process.executeCommand('true'), DaytonaBadRequestError,
    /no IP address found/)
  await refuses(() => box.stop(), DaytonaBadRequestError, /stoppable/)
  await box.start()
  assert.equal((await box.fs.downloadFile('kept')).toString(), 'kept')
  assert.equal((await box.process.executeCommand('pgrep sleep | wc -l')).result.trim(), '0')
})

await check('archive; a change under way refuses another', async () => {
  await knobs({ stateMs: 500 })
  const stopping = box.stop()
  await until(async () => (await daytona.get(box.id)).state === 'stopping')
  await refuses(() => box.start(), DaytonaConflictError, /in progress/)
  await stopping
  await knobs({ stateMs: 150 })
  await box.archive()
  await until(async () => (await daytona.get(box.id)).state === 'archived')
  await box.start()
  assert.equal((await box.fs.downloadFile('kept')).toString(), 'kept')
})

await check('pause is for machines', async () => {
  await refuses(() => box.pause(), DaytonaError, /not supported/)
})

await check('errors', async () => {
  const stranger = new Daytona({ apiKey: 'dtn_wrong', apiUrl: `${urls.api}/api` })
  await refuses(() => stranger.get(box.id), DaytonaAuthenticationError, /Invalid credentials/)
  await refuses(() => daytona.get('does-not-exist'), DaytonaNotFoundError)
  await knobs({ faults: [{ match: 'GET /api/sandbox/', status: 429, times: 1,
    headers: { 'Retry-After-sandbox-lifecycle': '17' },
    body: { statusCode: 429, message: 'ThrottlerException: Too Many Requests' } }] })
  await refuses(() => daytona.get(box.id), DaytonaRateLimitError, /Too Many/)
  await knobs({ faults: [{ match: 'GET /api/sandbox/', extra: true }] })
  assert.equal((await daytona.get(box.id)).state, 'started')
  await knobs({ faults: [] })
})

await check('delete', async () => {
  await box.delete(60, true)
  await refuses(() => daytona.get(box.id), DaytonaNotFoundError)
})

finish()
