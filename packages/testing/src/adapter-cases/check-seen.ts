import assert from 'node:assert/strict'
import type { AdapterCase, CaseRequest, Seen } from './adapter-case.ts'
import type { CaseWorld } from './case-world.ts'
import type { SeenAnswer } from './send-request.ts'

/** @throws AssertionError if anything differs from what the case expects */
export function checkSeen(
  { seen, requests, prefix = '' }: AdapterCase,
  answers: readonly SeenAnswer[],
  world: CaseWorld,
): void {
  checkStatuses(seen, answers, world)
  checkKept(seen, requests, answers, world)
  if (seen.received !== undefined) assert.equal(world.received, seen.received, 'how often the shop was called')
  if (seen.errors !== undefined) assert.deepEqual(world.errors.map(statusOf), seen.errors, 'what the error handler got')
  checkLast(seen, answers)
  checkGateway(seen, prefix, requests, world)
}

function checkStatuses({ statuses }: Seen, answers: readonly SeenAnswer[], { errors }: CaseWorld): void {
  assert.equal(answers.length, statuses.length, 'how many answers there were')
  for (const [index, { status, body }] of answers.entries()) {
    const allowed = statuses[index] ?? []
    const told = errors.map(String).join('; ')
    assert.ok(
      allowed.includes(status),
      `answer ${index + 1} was ${status}, not ${allowed.join(' or ')}: ${body.slice(0, 200)} ${told}`,
    )
  }
}

/** No callback may be answered with 200 and not stored. No refused one may be stored, unless the case has a failure. */
function checkKept(
  { kept }: Seen,
  requests: readonly CaseRequest[],
  answers: readonly SeenAnswer[],
  world: CaseWorld,
): void {
  const acknowledged = new Set(
    requests.filter(({ to }, index) => to === 'callback' && answers[index]?.status === 200).map(entryOf),
  )
  for (const entry of acknowledged) assert.ok(world.kept.has(entry), `${entry} was answered with 200 and is not stored`)
  assert.deepEqual([...world.kept].sort(), [...(kept ?? acknowledged)].sort(), 'what the shops have stored')
}

function entryOf({ shop = 'a', form = [], body = '' }: CaseRequest): string {
  const values = new Map([...form, ...new URLSearchParams(body)])
  return `${shop} ${values.get('client_orderid') ?? values.get('merchant_order')}`
}

/** The status of an error, as the app's error handler reads it. */
function statusOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined
  return 'status' in error ? error.status : undefined
}

function checkLast({ headers = {}, body }: Seen, answers: readonly SeenAnswer[]): void {
  const last = answers.at(-1)
  for (const [name, value] of Object.entries(headers)) assert.equal(last?.headers[name], value, `the header ${name}`)
  if (body !== undefined) assert.equal(last?.body, body, 'the body')
}

function checkGateway(
  { gateway }: Seen,
  prefix: string,
  requests: readonly CaseRequest[],
  { gatewayRequests }: CaseWorld,
): void {
  if (gateway === undefined) return
  const given = gatewayRequests.at(-1)
  assert.ok(given !== undefined, 'the gateway was given nothing')
  assert.equal(given.url, `${prefix}${gateway.url}`, 'the address that the gateway is given')
  assert.equal(
    given.method,
    requests.findLast(({ to }) => to === 'gateway')?.method,
    'the method that the gateway is given',
  )
  if (gateway.form !== undefined) assert.deepEqual([...new URLSearchParams(given.body)], gateway.form, 'the form')
  if (gateway.longerThan !== undefined) assert.ok(given.body.length > gateway.longerThan, 'the length of the body')
  for (const [name, value] of Object.entries(gateway.headers ?? {})) assert.deepEqual(given.headers[name], value, name)
}
