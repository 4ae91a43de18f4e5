import { createCallbackHandler, createPaymentClient, sandboxRecorder } from '@tallystick/client'
import { type RecordedEvent, Secret } from '@tallystick/core'
import { createSandbox, listen } from '@tallystick/gateway'
import { createJournal, memoryJournalStore } from '@tallystick/journal'
import { cards, fakeClock, saleInput, startGateway } from '@tallystick/testing'
import { expect, onTestFinished, test } from 'vitest'
import { saleOf } from './journal/shop.ts'

const CALLBACK = 'https://shop.example.com/callback'

/** Both halves in this process, on one clock, with one recording. */
async function bothHalves() {
  const clock = fakeClock()
  let take: ((query: string) => Promise<number>) | undefined
  const gateway = await startGateway({
    clock,
    socket: false,
    sendCallback: async (url) => ({ status: (await take?.(new URL(url).search.slice(1))) ?? 503 }),
  })
  const { recording } = gateway
  if (recording === undefined) throw new Error('startGateway records')
  const client = gateway.client({ recorder: recording })
  const journal = createJournal({
    client,
    clock,
    store: memoryJournalStore(),
    recorder: recording,
    handler: () => {},
    onNotice: 'ignore',
  })
  onTestFinished(async () => {
    await journal.close()
    await gateway.close()
  })
  const handle = createCallbackHandler({ client, inbox: journal.inbox })
  take = async (query) => (await handle({ method: 'GET', query, headers: {}, body: '' })).status
  return { gateway, journal, recording }
}

const shown = (event: RecordedEvent): string => {
  switch (event.type) {
    case 'intent':
      return `intent ${event.businessKey} ${event.state}${event.status === undefined ? '' : ` ${event.status}`}`
    case 'call':
      return `call ${event.operation} ${event.verdict}`
    case 'handler':
      return `handler ${event.what} ${event.status}`
    case 'callback-received':
      return `received ${event.status} ${event.stored}`
    case 'reply':
      return `reply ${event.operation} ${event.httpStatus}`
    case 'state':
      return `state ${event.status}`
    case 'callback':
      return `callback ${event.answer}`
    default:
      return event.type
  }
}

test('[F-E2] [F-E8] both halves of a payment are in one order: from the intent to the end of the handler', async () => {
  const { gateway, journal, recording } = await bothHalves()
  await journal.pay('invoice 77', 'sale', saleOf({ serverCallbackUrl: CALLBACK }))
  await gateway.settled()
  await journal.settled()
  const told = [...recording.events()].map(shown)
  const places = [
    'intent invoice 77 PREPARED',
    'intent invoice 77 SENDING',
    'request',
    'state sent',
    'reply sale 200',
    'call SALE accepted',
    'intent invoice 77 ACCEPTED',
    'call STATUS accepted',
    'intent invoice 77 FINAL approved',
    'handler called approved',
    'handler done approved',
  ].map((line) => told.indexOf(line))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places.filter((place) => place < 0)).toEqual([])
  expect(told).toContain('received approved verified')
  expect(told).toContain('received approved stored')
  expect(told).toContain('callback 200')
})

test('[F-E8] a call that proved nothing has its evidence, and a handler that threw the name of the error', async () => {
  const { gateway, recording } = await bothHalves()
  const client = gateway.client({ recorder: recording })
  gateway.next('sale').loseReplyAfterCommit()
  const lost = await client.sale(saleInput())
  expect(lost.outcome).toBe('unknown')
  const calls = [...recording.events()].filter((event) => event.type === 'call')
  expect(calls).toMatchObject([{ operation: 'SALE', verdict: 'unknown', code: 'NO_REPLY', seen: expect.any(String) }])
  const journal = createJournal({
    client,
    clock: gateway.clock,
    store: memoryJournalStore(),
    recorder: recording,
    onEvent: () => {},
    handler: () => {
      throw new RangeError(`${cards.approved.cardNumber} is too much`)
    },
    onNotice: 'ignore',
  })
  onTestFinished(() => journal.close())
  await journal.pay('invoice 78', 'sale', saleOf())
  await gateway.settled()
  await gateway.clock.advance('10s')
  await expect(journal.settled()).rejects.toMatchObject({ cause: expect.any(RangeError) })
  const events = [...recording.events()]
  expect(events.filter((event) => event.type === 'handler').slice(0, 2)).toMatchObject([
    { what: 'called', status: 'approved' },
    { what: 'failed', error: 'RangeError' },
  ])
  expect(events.filter((event) => event.type === 'journal')).toMatchObject([{ notice: 'HANDLER_FAILED' }])
  expect(recording.ndjson()).not.toContain(cards.approved.cardNumber)
})

test('[F-E9] the events of a shop in another process arrive through the port of the sandbox', async () => {
  const gateway = await startGateway()
  const key = 'an-operator-key-of-many-characters'
  const port = await listen(createSandbox(gateway, { operatorKey: new Secret(key) }))
  const recorder = sandboxRecorder({ address: `${port.origin}/__sandbox`, key })
  const client = createPaymentClient({ ...gateway.merchant, recorder })
  await client.sale(saleInput())
  await recorder.close()
  await client.close()
  await port.close()
  await gateway.close()
  expect([...(gateway.recording?.events() ?? [])].filter(({ half }) => half === 'merchant')).toMatchObject([
    { type: 'call', operation: 'SALE', verdict: 'accepted', clientOrderId: expect.any(String) },
  ])
  expect(recorder.dropped).toBe(0)
})

test('[F-E9] a payment is made as ever while the sandbox of its recorder is away', async () => {
  const gateway = await startGateway()
  const recorder = sandboxRecorder({ address: 'http://127.0.0.1:9/__sandbox' })
  const client = createPaymentClient({ ...gateway.merchant, recorder })
  expect((await client.sale(saleInput())).outcome).toBe('accepted')
  await client.close()
  await gateway.close()
})
