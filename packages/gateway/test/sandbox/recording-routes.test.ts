import { type RecordedEvent, readRecording, Secret } from '@tallystick/core'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox, type StreamedReply } from '../../src/index.ts'
import { desk } from '../support/desk.ts'
import { SALE, sale } from '../support/signed-requests.ts'

const KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'
const BEARER = { authorization: `Bearer ${KEY}`, host: '127.0.0.1:9465' }
const CALLED = { server_callback_url: 'https://shop.example.com/cb' }

function recorded() {
  const made = desk({ sandbox: true })
  const handle = createSandbox(made.gateway, { operatorKey: new Secret(KEY) })
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  const ask = (path: string, headers: Readonly<Record<string, string>> = BEARER) =>
    handle({ method: 'GET', url: `/__sandbox/recording${path}`, headers, body: '' })
  /** The parts of the answer, as a server would send them. */
  const parts = ({ stream }: StreamedReply) => {
    if (stream === undefined) throw new Error('no stream')
    return stream(ended.signal)[Symbol.asyncIterator]()
  }
  const events = async (path: string): Promise<readonly RecordedEvent[]> => {
    let text = ''
    const all = parts(await ask(path))
    for (let part = await all.next(); part.done !== true; part = await all.next()) text += part.value
    return readRecording(text)
  }
  return { ...made, ask, parts, events, end: () => ended.abort() }
}

const kinds = (events: readonly RecordedEvent[]) => new Set(events.map(({ type }) => type))

/** The events in parts of a stream, and the ids before them. */
function inStream(text: string): ReadonlyArray<readonly [id: number, event: RecordedEvent]> {
  return [...text.matchAll(/^id: (\d+)\ndata: (.+)\n\n/gm)].map(([, id, data = '']) => [Number(id), JSON.parse(data)])
}

test('[F-C23] the recording is shown as lines: what came in, was answered, decided and called back, without the card', async () => {
  const { sale: pay, send, gateway, ask, events } = recorded()
  await pay({ ...CALLED, client_orderid: 'inv-1' })
  await send({ ...sale({ client_orderid: 'inv-2' }), body: 'client_orderid=inv-2&control=0' })
  await gateway.settled()
  const reply = await ask('')
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/x-ndjson'])
  const all = await events('')
  expect(kinds(all)).toEqual(new Set(['request', 'reply', 'acquirer', 'state', 'callback']))
  expect(all.filter(({ type }) => type === 'callback')).toMatchObject([{ answer: '200', state: 'acknowledged' }])
  expect(all.filter(({ type }) => type === 'reply')).toMatchObject([{ httpStatus: 200 }, { httpStatus: 403 }])
  expect(JSON.stringify(all)).not.toContain(SALE.credit_card_number)
})

test('[F-C23] a part of it: the latest, what came after an event, and what is about one order', async () => {
  const { sale: pay, ask: _, events } = recorded()
  const { orderid } = await pay({ ...CALLED, client_orderid: 'inv-1' })
  await pay({ client_orderid: 'inv-2' })
  const all = await events('')
  expect(await events('?last=2')).toEqual(all.slice(-2))
  expect(await events(`?after=${all[2]?.id}`)).toEqual(all.slice(3))
  const ofOne = await events(`?orderId=${orderid}`)
  expect(kinds(ofOne)).toEqual(new Set(['request', 'reply', 'acquirer', 'state', 'callback']))
  expect(JSON.stringify(ofOne)).not.toContain('inv-2')
  expect(ofOne.length).toBeLessThan(all.length)
  expect(await events('?orderId=123456789012345')).toEqual([])
})

test('[F-C23] the stream goes on with what happens, and after the event that its reader saw last', async () => {
  const { sale: pay, ask, parts, events, end } = recorded()
  await pay({ client_orderid: 'inv-1' })
  const before = await events('')
  const reply = await ask('/stream')
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/event-stream'])
  const stream = parts(reply)
  const read = async () => inStream(String((await stream.next()).value))
  expect(await read()).toEqual(before.map((event) => [event.id, event]))
  const next = read()
  await pay({ client_orderid: 'inv-2' })
  const [[firstId] = []] = await next
  expect(firstId).toBe((before.at(-1)?.id ?? 0) + 1)
  const again = parts(await ask('/stream', { ...BEARER, 'last-event-id': `${firstId}` }))
  const after = await events(`?after=${firstId}`)
  expect(inStream(String((await again.next()).value))).toEqual(after.map((event) => [event.id, event]))
  const last = again.next()
  end()
  expect(await last).toEqual({ done: true, value: undefined })
})

test.for([
  ['the key is missing', { host: '127.0.0.1:9465' }, 401],
  ['the key is wrong', { ...BEARER, authorization: `Bearer ${KEY}0` }, 401],
  ['another name leads here', { ...BEARER, host: 'shop.lan:9465' }, 403],
  ['a foreign page asks', { ...BEARER, origin: 'http://127.0.0.1:3000' }, 403],
] as const)('[F-B18] what came in is not shown if %s', async ([, headers, status]) => {
  const { ask } = recorded()
  for (const path of ['', '/stream']) expect((await ask(path, headers)).status).toBe(status)
})

test('[F-B18] its own page reads what came in with the key in its address', async () => {
  const { ask } = recorded()
  const own = { host: 'localhost:9465', origin: 'http://localhost:9465' }
  expect((await ask(`/stream?token=${KEY}`, own)).status).toBe(200)
  expect((await ask(`/stream?token=${KEY}0`, own)).status).toBe(401)
})

test('[F-C23] a gateway that records nothing says so, and a wrong part is named', async () => {
  const { ask } = recorded()
  const wrong = await ask('?last=few')
  expect([wrong.status, JSON.parse(wrong.body)]).toEqual([
    400,
    { error: 'last: must be a whole number', field: 'last' },
  ])
  const { gateway } = desk({ sandbox: true, recorder: false })
  const silent = await createSandbox(gateway)({ method: 'GET', url: '/__sandbox/recording', headers: {}, body: '' })
  expect([silent.status, silent.body]).toEqual([400, expect.stringContaining('this gateway records nothing')])
})

test("[F-E9] a shop's own events are added to the recording, with card numbers masked once more", async () => {
  const { gateway } = desk({ sandbox: true })
  const handle = createSandbox(gateway, { operatorKey: new Secret(KEY) })
  const add = async (body: string, headers: Readonly<Record<string, string>> = BEARER) => {
    const reply = await handle({ method: 'POST', url: '/__sandbox/recording', headers, body })
    return [reply.status, JSON.parse(reply.body)]
  }
  const event = { half: 'merchant', type: 'journal', at: 5, notice: 'REVIEW', intentIds: ['4444333322221111'] }
  const line = `${JSON.stringify(event)}\n`
  expect(await add(line + line)).toEqual([200, { recorded: 2 }])
  expect(await add(line, { host: BEARER.host })).toMatchObject([401, {}])
  expect(await add(`${line}{"half":"gateway","type":"clock","at":1}\n`)).toEqual([
    400,
    { error: 'line 2 is no event of a merchant' },
  ])
  expect([...(gateway.recording?.events() ?? [])]).toEqual(
    [1, 2].map((id) => ({ version: 1, id, ...event, intentIds: ['444433******1111'] })),
  )
})
