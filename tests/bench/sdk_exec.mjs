// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// node sdk_exec.mjs <e2b|daytona> <urls as JSON>: makes a sandbox with the service's own SDK, says
// "ready", and for each line of input runs `true` in it and says how many milliseconds that took.
import { createInterface } from 'node:readline'

const [service, text] = process.argv.slice(2)
const urls = JSON.parse(text)
let run
let remove

if (service === 'e2b') {
  const { Sandbox } = await import('e2b')
  const box = await Sandbox.create('base',
    { apiKey: 'e2b_' + '0'.repeat(40), apiUrl: urls.api, sandboxUrl: urls.envd })
  run = async () => (await box.commands.run('true')).exitCode
  remove = () => box.kill()
} else {
  const { Daytona } = await import('@daytonaio/sdk')
  const daytona = new Daytona({ apiKey: 'dtn_test', apiUrl: `${urls.api}/api`, target: 'us' })
  const box = await daytona.create()
  run = async () => (await box.process.executeCommand('true')).exitCode
  remove = () => box.delete()
}

console.log('ready')
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'end')
    break
  const began = performance.now()
  const code = await run()
  console.log(code === 0 ? (performance.now() - began).toFixed(3) : '-1')
}
await remove()
process.exit(0)
