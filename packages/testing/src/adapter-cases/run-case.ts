import assert from 'node:assert/strict'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { AdapterCase } from './adapter-case.ts'
import { CaseWorld } from './case-world.ts'
import { checkSeen } from './check-seen.ts'
import type { MountAdapter, MountedAdapter } from './mount-adapter.ts'
import { type CaseKeys, type RenderedRequest, renderRequest } from './render-request.ts'
import { type SeenAnswer, sendRequest } from './send-request.ts'

/**
 * Runs one case against an adapter.
 *
 * @throws AssertionError that says what differs
 */
export async function runCase(one: AdapterCase, mount: MountAdapter, keys: CaseKeys): Promise<void> {
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
