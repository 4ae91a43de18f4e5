import { describe, expect, test } from 'vitest'
import { type Decision, memoryStore } from '../../src/index.ts'
import type { Change, CommitResult, Store } from '../../src/store-port.ts'
import { APPROVED, deciding, declined, listening } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { STEPS } from '../support/issuer.ts'
import { sale } from '../support/signed-requests.ts'

const CALLBACK = 'https://shop.example.com/callback'

/** A store that fails to write the outcomes of operations until the test mends it. */
function stubborn() {
  const inner = memoryStore()
  const refused: number[] = []
  let error: Error | undefined = new Error('disk I/O error')
  const commit = async (change: Change, now: number): Promise<CommitResult> => {
    const isOutcome = change.order !== undefined && change.order.basedOn !== 'nothing'
    if (!isOutcome || error === undefined) return await inner.commit(change, now)
    refused.push(now)
    throw error
  }
  const store: Store = { ...inner, commit }
  return {
    store,
    refused,
    obey: () => {
      error = undefined
    },
    close: () => {
      error = Object.assign(new Error('The store is closed'), { code: 'CLOSED' })
    },
  }
}

test.for([
  ['error code', { ...declined(), errorCode: '9\ud83d' }, 'error_code', '9\ufffd'],
  ['error message', declined('No \ud83d'), 'error_message', 'No \ufffd'],
  ['approval code', { ...APPROVED, approvalCode: '\udf397' }, 'approval-code', '\ufffd7'],
  ['id at the processor', { ...APPROVED, processorTxId: 'tx\ud83d' }, 'processor-tx-id', 'tx\ufffd'],
] as const)('an %s in which half a character stands is written and told', async ([, decision, name, told]) => {
  const acquirer = deciding({ execute: async () => decision as Decision })
  const { shown, calls, heard, sale: pay } = desk({ acquirer })
  const ids = await pay({ server_callback_url: CALLBACK })
  expect([(await shown(ids))[0], heard]).toEqual([decision.status, []])
  expect(calls.map((url) => new URL(url).searchParams.get(name))).toEqual([told])
})

test.for([7, null, { authenticated: true, attempt: 1n }])(
  'an approval whose verified3dStatus is no word of the interface is written without it: %o',
  async (verified3dStatus) => {
    const decision = { ...APPROVED, verified3dStatus } as unknown as Decision
    const { store, heard, sale: pay } = desk({ acquirer: deciding({ execute: async () => decision }) })
    const { orderid } = await pay()
    expect((await store.orderById(orderid))?.operations).toMatchObject([
      { status: 'approved', outcome: { approvalCode: '123456', processorTxId: 'tx-1', verified3dStatus: undefined } },
    ])
    expect(heard).toEqual([])
  },
)

test('an error code that is a number is shown as its digits', async () => {
  const acquirer = deciding({ execute: async () => ({ ...declined(), errorCode: 51 }) as unknown as Decision })
  const { calls, sale: pay } = desk({ acquirer })
  await pay({ server_callback_url: CALLBACK })
  expect(calls.map((url) => new URL(url).searchParams.get('error_code'))).toEqual(['51'])
})

test.for(Object.values(STEPS))(
  'a step of 3DS with more than the customer needs for it is written without that: %o',
  async (step) => {
    // What a bank's client may return: it refers to itself, which no database can store.
    const reply: Record<string, unknown> = { ...step }
    reply['request'] = { reply, attempt: 1n }
    const tokenize = async () => ({ reference: 'taken', authenticates: true })
    const execute = async () => ({ status: 'processing', awaits: reply }) as unknown as Decision
    const { heard, store, sale: pay } = desk({ acquirer: deciding({ tokenize, execute }) })
    const { orderid } = await pay()
    expect((await store.orderById(orderid))?.operations[0]?.outcome.awaits).toEqual(step)
    expect(heard).toEqual([])
  },
)

describe('an outcome that the store cannot take', () => {
  test('is written a minute later, with its callback, and the operation is not sent again', async () => {
    const { store, obey } = stubborn()
    const { acquirer, executed, lookedUp } = listening()
    const { gateway, clock, calls, heard, shown, sale: pay } = desk({ store, acquirer })
    const ids = await pay({ server_callback_url: CALLBACK })
    expect(await shown(ids)).toEqual(['processing', 'sale', undefined, '0.00', '10.42'])
    expect(heard).toHaveLength(1)
    obey()
    await clock.advance('1m')
    await gateway.settled()
    expect(await shown(ids)).toEqual(['approved', 'sale', 'sale_approved', '10.42', '10.42'])
    expect(calls).toHaveLength(1)
    expect([executed.length, lookedUp.length]).toEqual([1, 0])
  })

  test('is tried less and less often, and once an hour in the end', async () => {
    const { store, refused } = stubborn()
    const { gateway, clock } = desk({ store })
    const begun = clock.now()
    await gateway.handle(sale())
    await gateway.settled()
    await clock.advance('5h')
    expect(refused.map((at) => (at - begun) / 60_000)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
  })

  test('is left to the next process when the store is closed', async () => {
    const { store, refused, close } = stubborn()
    const { gateway, clock } = desk({ store })
    await gateway.handle(sale())
    await gateway.settled()
    close()
    await clock.advance('5h')
    expect(refused).toHaveLength(2)
  })

  test('of an operation that the last process had sent is looked up once', async () => {
    const { store, obey } = stubborn()
    const first = desk({ store })
    const ids = await first.sale()
    const { acquirer, executed, lookedUp } = listening()
    const { gateway, clock, shown } = desk({ store, acquirer })
    await gateway.settled()
    expect((await shown(ids))[0]).toBe('processing')
    obey()
    await clock.advance('1m')
    expect((await shown(ids))[0]).toBe('approved')
    expect([executed.length, lookedUp.length]).toEqual([0, 1])
  })
})
