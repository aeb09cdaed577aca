// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// One check after the other; the fake's addresses come in FAKE_URLS.
import assert from 'node:assert/strict'

export { assert }
export const urls = JSON.parse(process.env.FAKE_URLS)

let failed = 0

export async function check(name, work) {
  const began = Date.now()
  try {
    await work()
    console.log(`ok      ${name} (${Date.now() - began} ms)`)
  } catch (problem) {
    failed += 1
    console.log(`FAILED  ${name} (${Date.now() - began} ms)\n${problem.stack ?? problem}`)
  }
}

/** That work fails with an error of type, whose text matches. */
export async function refuses(work, type, pattern = /./) {
  let problem
  try {
    await work()
  } catch (caught) {
    problem = caught
  }
  assert.ok(problem, 'no error came')
  assert.ok(problem instanceof type, `${problem.constructor.name}: ${problem.message}`)
  assert.match(String(problem.message), pattern)
  return problem
}

export async function knobs(wanted) {
  const answer = await fetch(`${urls.control}/__knobs`,
    { method: 'POST', body: JSON.stringify(wanted) })
  assert.equal(answer.status, 200)
}

/** What the fake was asked since record number since. */
export async function requests(since = 0) {
  return (await fetch(`${urls.control}/__requests?since=${since}`)).json()
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export async function until(holds, limit = 5000) {
  const end = Date.now() + limit
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'it did not happen in time')
    await sleep(30)
  }
}

/** SDKs may hold connections; the run ends all the same. */
export function finish() {
  process.exit(failed ? 1 : 0)
}
