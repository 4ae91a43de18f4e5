import assert from 'node:assert/strict'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { checkOptions, suggestName, validator } from '@tallystick/core/internal'
import { testControlKey } from '../fakes.ts'
import type { AdapterCase, CaseRequest, Seen } from './adapter-case.ts'
import { CaseWorld } from './case-world.ts'
import { everyParser } from './cases/every-parser.ts'
import { forms } from './cases/forms.ts'
import { gateway } from './cases/gateway.ts'
import { keeping } from './cases/keeping.ts'
import { places } from './cases/places.ts'
import { ADAPTER_PARSERS, type AdapterParser, type MountAdapter, type MountedAdapter } from './mount-adapter.ts'
import { type CaseKeys, type RenderedRequest, renderRequest, type SeenAnswer, sendRequest } from './render-request.ts'

/** What every adapter has to do, whatever its framework. */
export const adapterCases: readonly AdapterCase[] = [...everyParser, ...forms, ...keeping, ...places, ...gateway]

/** Which cases run. */
export interface EachAdapterCaseOptions {
  /** The parsers that the framework has. Default all. */
  readonly parsers?: readonly AdapterParser[]
}

/**
 * Registers every case that an adapter has to pass with `test` of your test runner: `eachAdapterCase(mount, test)`.
 *
 * A case starts the app that it needs, sends its requests, and checks the answers and what the shop got.
 *
 * @throws TypeError without an adapter or a runner; for an unknown parser, or an empty list, with which no case would run
 */
export function eachAdapterCase(
  mount: MountAdapter,
  test: (name: string, run: () => Promise<void>) => void,
  { parsers = ADAPTER_PARSERS }: EachAdapterCaseOptions = {},
): void {
  checkOptions('eachAdapterCase', { mount, test }, KINDS)
  requireParsers(parsers)
  const keys = { a: testControlKey(), b: testControlKey() }
  for (const one of casesOf(parsers)) test(one.name, () => runCase(one, mount, keys))
}

const KINDS = {
  mount: validator.required({ ...validator.function, wanted: 'a function that starts an app with your adapter' }),
  test: validator.required({ ...validator.function, wanted: 'test of your test runner' }),
}

function requireParsers(parsers: readonly string[]): void {
  if (parsers.length === 0) throw new TypeError('eachAdapterCase: parsers is empty, and no case would run')
  const unknown = parsers.find((parser) => !ADAPTER_PARSERS.some((known) => known === parser))
  if (unknown === undefined) return
  throw new TypeError(`eachAdapterCase: there is no parser ${unknown}; ${suggestName(unknown, ADAPTER_PARSERS)}`)
}

function casesOf(parsers: readonly AdapterParser[]): readonly AdapterCase[] {
  return adapterCases.filter(({ parser }) => parsers.includes(parser))
}

/**
 * Runs one case against an adapter.
 *
 * @throws AssertionError that says what differs
 */
async function runCase(one: AdapterCase, mount: MountAdapter, keys: CaseKeys): Promise<void> {
  const world = new CaseWorld(one.shop)
  const rendered = one.requests.map((request) => renderRequest(request, keys))
  const answers = await answersTo(rendered, one, () => mount(world.setup(one, keys)), world)
  checkSeen(one, answers, world)
}

async function answersTo(
  rendered: readonly RenderedRequest[],
  { prefix = '', together = false, restarts = false }: AdapterCase,
  start: () => Promise<MountedAdapter>,
  world: CaseWorld,
): Promise<readonly SeenAnswer[]> {
  const groups = restarts ? rendered.map((request) => [request]) : [rendered]
  const answers: SeenAnswer[] = []
  for (const group of groups) {
    const app = await start()
    try {
      const send = (request: RenderedRequest) => answerTo(request, `${app.url}${prefix}`, world)
      answers.push(...(together ? await Promise.all(group.map(send)) : await oneByOne(group, send)))
    } finally {
      await app.close()
    }
  }
  return answers
}

async function oneByOne(
  requests: readonly RenderedRequest[],
  send: (request: RenderedRequest) => Promise<SeenAnswer>,
): Promise<readonly SeenAnswer[]> {
  const answers: SeenAnswer[] = []
  for (const request of requests) answers.push(await send(request))
  return answers
}

/** Sends a request. If the inbox or the handler is slow, checks that nothing is answered before it is done. */
async function answerTo(request: RenderedRequest, origin: string, world: CaseWorld): Promise<SeenAnswer> {
  const answering = sendRequest(origin, request)
  const first = await Promise.race([answering, world.asked.promise])
  if (first !== undefined) return first
  const early = await Promise.race([answering, aWhile()])
  world.goOn.resolve()
  assert.equal(early, undefined, 'it was answered before it was stored')
  return await answering
}

/** How long to wait for an answer that comes too early. */
const LOOK_MS = 30
/** If the process was blocked during that time, these turns of the event loop read what has arrived. */
const LOOK_TURNS = 10

async function aWhile(): Promise<undefined> {
  await setTimeout(LOOK_MS)
  for (let turn = 0; turn < LOOK_TURNS; turn++) await setImmediate()
}

/** @throws AssertionError if anything differs from what the case expects */
function checkSeen(
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
