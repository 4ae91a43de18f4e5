import type { Exchange } from '@tallystick/client'
import { expect, test } from 'vitest'
import { createJournal, type JournalEvent, memoryJournalStore } from '../../src/index.ts'
import { decidingClient } from '../deciding-client.ts'
import { handClock } from '../hand-clock.ts'
import { intentWith } from '../intents.ts'
import { replied } from '../shop-process.ts'

const WRONG_CONTROL = '{"type":"error","error-message":"wrong control"}'
const REFUSED: Exchange = { kind: 'replied', httpStatus: 403, mediaType: 'application/json', body: WRONG_CONTROL }
const UNREACHABLE: Exchange = { kind: 'lost', seen: 'there was no reply' }
const NO_SUCH_ORDER = replied({ type: 'validation-error', 'error-code': '2', 'error-message': 'no such order' })

test.each([
  ['answered with an order', undefined],
  ['said that there is no such order', NO_SUCH_ORDER],
])(
  '[F-C25] An endpoint that refuses the credentials is reported once, with what to do, and again after it had %s',
  async (_what, answered) => {
    const clock = handClock()
    const store = memoryJournalStore()
    const told: JournalEvent[] = []
    let answer: Exchange | undefined = REFUSED
    const journal = createJournal({
      client: decidingClient(
        () => ({ status: 'processing', 'paynet-order-id': '9' }),
        () => answer,
      ),
      store,
      clock,
      onEvent: (event) => void told.push(event),
    })
    const at = clock.now()
    const open = { state: 'UNKNOWN', sentAt: at, nextCheckAt: at } as const
    for (const id of ['a', 'b']) {
      await store.insert(intentWith({ ...open, endpointId: '253', intentId: id, businessKey: id, clientOrderId: id }))
    }
    await store.insert(
      intentWith({ ...open, endpointGroupId: '253', intentId: 'c', businessKey: 'c', clientOrderId: 'c' }),
    )
    const lookAgain = async () => {
      await clock.goOn(20_000)
      await journal.reconcile()
    }
    await lookAgain()
    await lookAgain()
    expect(told).toMatchObject([
      { type: 'STATUS_REFUSED', endpointId: '253', error: { code: 'AUTH_REJECTED' } },
      { type: 'STATUS_REFUSED', endpointGroupId: '253', error: { code: 'AUTH_REJECTED' } },
    ])
    const [first] = told
    expect(first?.type === 'STATUS_REFUSED' && first.remedy).toMatch(
      /^Wrong key, login or endpoint: the gateway refuses the status at endpoint 253\. Compare the client's login, control key and endpoint 253 /,
    )
    expect(await store.counts()).toEqual({ UNKNOWN: 3 })
    // A gateway that cannot be reached has not withdrawn its refusal.
    answer = UNREACHABLE
    await lookAgain()
    answer = REFUSED
    await lookAgain()
    expect(told).toHaveLength(2)
    answer = answered
    await lookAgain()
    answer = REFUSED
    await lookAgain()
    expect(told).toHaveLength(4)
  },
)

test('An endpoint that refuses the request itself is reported once, with its words and what they may mean', async () => {
  const clock = handClock()
  const store = memoryJournalStore()
  const told: JournalEvent[] = []
  const fields = { type: 'validation-error', 'error-code': '404', 'error-message': 'No such operation' }
  const journal = createJournal({
    client: decidingClient(undefined, () => ({ ...replied(fields), httpStatus: 404 })),
    store,
    clock,
    onEvent: (event) => void told.push(event),
  })
  const at = clock.now()
  await store.insert(intentWith({ state: 'UNKNOWN', sentAt: at, nextCheckAt: at, endpointId: '253' }))
  for (const _look of [1, 2]) {
    await clock.goOn(20_000)
    await journal.reconcile()
  }
  expect(told).toMatchObject([{ type: 'STATUS_REFUSED', endpointId: '253', error: { code: 'REJECTED' } }])
  const [refused] = told
  const remedy = refused?.type === 'STATUS_REFUSED' ? refused.remedy : ''
  expect(remedy).toContain('The gateway refuses the status at endpoint 253. ')
  expect(remedy).toContain('"No such operation"; the URL was http://127.0.0.1:1/paynet/api/v2/status/253')
  expect(remedy).toContain('isNoSuchOrder')
})
