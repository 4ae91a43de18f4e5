import { describe, expect, test } from 'vitest'
import type { Acquirer, Decision, LimitEvent } from '../../src/index.ts'
import { APPROVED, deciding, declined, listening, tokenFrom, UNKNOWN, undecided } from '../support/acquirers.ts'
import { desk, type Ids } from '../support/desk.ts'
import { STEPS } from '../support/issuer.ts'
import { fieldsOf, RIVAL, SALE, SHOP, sale, status } from '../support/signed-requests.ts'
import { committing } from '../support/stores.ts'
import { testGateway } from '../support/test-gateway.ts'

const CALLBACK = 'https://shop.example.com/callback'
const MINUTE = 60_000
const NEVER_SENT: Decision = { status: 'error', errorCode: '6', errorMessage: 'Never arrived' }

/** An acquirer that answers `unknown` at first, then gives these answers to look-ups, and then answers `unknown` again. */
function forgetful(...answers: ReadonlyArray<Decision | undefined | Error>) {
  const left = [...answers]
  const askedAt: number[] = []
  const acquirer = (now: () => number): Acquirer =>
    deciding({
      execute: async () => UNKNOWN,
      lookup: async () => {
        askedAt.push(now())
        const answer = left.length > 0 ? left.shift() : UNKNOWN
        if (answer instanceof Error) throw answer
        return answer
      },
    })
  const made: ReturnType<typeof desk> = desk({ acquirer: acquirer(() => made.clock.now()) })
  const start = made.clock.now()
  return { ...made, waits: () => askedAt.map((at) => (at - start) / MINUTE) }
}

test('an acquirer in plain JavaScript may answer without a promise', async () => {
  const lookup = () => APPROVED as unknown as Promise<Decision>
  const { sale: pay, shown, clock, heard } = desk({ acquirer: deciding({ execute: async () => UNKNOWN, lookup }) })
  const ids = await pay()
  await clock.advance('1m')
  expect([(await shown(ids))[0], heard]).toEqual(['approved', []])
})

test('[F-B6] the look-ups of one merchant, whose bank does not answer, leave room for those of another', async () => {
  const reached: LimitEvent[] = []
  let hanging = 0
  const acquirer = deciding({
    execute: async () => UNKNOWN,
    lookup: ({ login }) => {
      if (login === RIVAL.login) return Promise.resolve(APPROVED)
      hanging++
      return new Promise(() => {})
    },
  })
  const { gateway, clock } = testGateway({ acquirer, onLimit: (each) => reached.push(each) })
  for (let at = 0; at < 600; at++) await gateway.handle(sale({ client_orderid: `inv-${at}` }))
  await gateway.handle(sale({ client_orderid: 'other' }, RIVAL))
  await gateway.settled()
  void clock.advance('1m')
  for (let at = 0; at < 100; at++) await new Promise((resolve) => setImmediate(resolve))
  const seen = fieldsOf(await gateway.handle(status({ client_orderid: 'other' }, RIVAL)))
  expect([seen['status'], hanging]).toEqual(['approved', 128])
  expect(reached).toContainEqual({ limit: 'tasks', login: SHOP.login })
})

describe('an outcome that the acquirer does not know', () => {
  test('[G5-06] [G10-04] is looked up after a minute, and turns into what it became', async () => {
    const { sale, shown, clock, calls, waits } = forgetful(APPROVED)
    const ids = await sale({ server_callback_url: CALLBACK })
    expect(await shown(ids)).toEqual(['unknown', 'sale', undefined, '0.00', '10.42'])
    const told = () => calls.map((url) => new URL(url).searchParams.get('status'))
    expect(told()).toEqual(['unknown'])
    await clock.advance('1m')
    expect(await shown(ids)).toEqual(['approved', 'sale', 'sale_approved', '10.42', '10.42'])
    expect(told()).toEqual(['unknown', 'approved'])
    await clock.advance('40d')
    expect(waits()).toEqual([1])
  })

  test('[G5-06] is looked up less and less often, 30 times in 26 days, stays unknown, and is left to the operator', async () => {
    const { sale, shown, clock, waits, heard } = forgetful()
    const ids = await sale()
    await clock.advance('25d')
    expect(heard).toEqual([])
    await clock.advance('35d')
    const firstWaits = [1, 6, 21, 81, 441, 441 + 1440, 441 + 2880]
    expect(waits().slice(0, 7)).toEqual(firstWaits)
    expect(waits()).toHaveLength(30)
    expect((await shown(ids))[0]).toBe('unknown')
    expect(heard.map(([error]) => String(error))).toEqual([
      `Error: The sale ${ids.orderid}-1 of the order ${ids.orderid} is still unknown after 30 look-ups, and is not looked up again: ask the acquirer what became of it, and record that with the command outcome, or gateway.recordOutcome`,
    ])
  })

  test('is left to the operator once, even if its order changes during the last look-up', async () => {
    let lookups = 0
    const acquirer = deciding({
      execute: async ({ kind }) => (kind === 'reversal' ? UNKNOWN : APPROVED),
      lookup: async ({ orderId }) => {
        lookups++
        if (lookups === 30) await made.gateway.chargeback(orderId, '1.00')
        return UNKNOWN
      },
    })
    const made: ReturnType<typeof desk> = desk({ acquirer })
    const { sale, ask, clock, heard } = made
    const ids = await sale()
    await ask('/api/v2/return', { ...ids, amount: '2.00', currency: 'EUR' })
    await clock.advance('60d')
    expect([lookups, heard.map(([error]) => String(error))]).toEqual([
      31,
      [expect.stringMatching(/^Error: The reversal .* is not looked up again: /)],
    ])
  })

  test('is looked up again when the acquirer cannot be asked, and that is reported', async () => {
    const down = new Error('the line is down')
    const { sale, shown, clock, heard, waits } = forgetful(down, declined())
    const ids = await sale()
    await clock.advance('6m')
    const reported = new Error('The acquirer has failed in lookup: the line is down', { cause: down })
    expect([waits(), heard]).toEqual([[1, 6], [[reported, expect.any(String)]]])
    expect((await shown(ids))[0]).toBe('declined')
  })

  test('[S6-03] that the acquirer never carried out ends as an error', async () => {
    const { sale, told, clock, calls } = forgetful(undefined)
    const ids = await sale({ server_callback_url: CALLBACK })
    await clock.advance('1m')
    expect(await told(ids)).toMatchObject({
      status: 'error',
      'error-code': '6',
      'error-message': 'The operation was interrupted before it was carried out.',
    })
    expect(calls.map((url) => new URL(url).searchParams.get('status'))).toEqual(['unknown', 'error'])
  })

  test('stays unknown if the acquirer asks for a 3DS step, and is looked up again', async () => {
    const { sale, shown, clock } = forgetful({ status: 'processing', awaits: STEPS.challenge }, declined())
    const ids = await sale()
    await clock.advance('1m')
    expect((await shown(ids))[0]).toBe('unknown')
    await clock.advance('5m')
    expect((await shown(ids))[0]).toBe('declined')
  })

  test('holds up other modifications of the same funds until it is known', async () => {
    const inner = deciding({})
    const acquirer = deciding({
      execute: async (instruction) => (instruction.kind === 'capture' ? UNKNOWN : await inner.execute(instruction)),
      lookup: async () => declined(),
    })
    const { preauth, capture, void: cancel, shown, clock } = desk({ acquirer })
    const ids = await preauth()
    await capture(ids)
    expect((await cancel(ids))['error-message']).toContain('one-in-flight')
    await clock.advance('1m')
    expect(await cancel(ids)).toMatchObject({ http: '200' })
    expect(await shown(ids)).toEqual(['approved', 'cancel', 'cancel_approved', '0.00', '10.42'])
  })

  test('is looked up at the next start if the gateway was down when that was due', async () => {
    const { sale, gateway, store, clock } = forgetful()
    const ids = await sale()
    await gateway.close()
    await clock.advance('10d')
    const { acquirer, executed, lookedUp } = listening({ lookup: async () => UNKNOWN })
    const next = desk({ store, acquirer, clock })
    await next.recovered()
    expect(lookedUp).toHaveLength(1)
    await clock.advance(5 * MINUTE - 1)
    expect(lookedUp).toHaveLength(1)
    await clock.advance(1)
    expect(lookedUp).toHaveLength(2)
    expect(executed).toEqual([])
    expect((await next.shown(ids))[0]).toBe('unknown')
  })
})

describe('an operation that the acquirer never answers', () => {
  /** An acquirer that does not answer until the test decides, and gives these answers to look-ups. */
  function silent(...answers: readonly Decision[]) {
    const { execute, decide } = undecided()
    const left = [...answers]
    const { acquirer, executed, lookedUp } = listening({ execute, lookup: async () => left.shift() ?? UNKNOWN })
    const made = desk({ acquirer })
    const pay = async () => fieldsOf(await made.gateway.handle(sale({ server_callback_url: CALLBACK })))
    const status = async () =>
      (await made.store.findOrder({ login: 'shop', clientOrderId: 'inv-1' }))?.operations[0]?.status
    return { ...made, pay, status, decide, executed, lookedUp }
  }

  test('[S6-03] is looked up after 15 minutes, and never sent again; it is reported', async () => {
    const { pay, status, clock, calls, heard, executed, lookedUp } = silent(APPROVED)
    const { 'paynet-order-id': orderId } = await pay()
    await clock.advance(15 * MINUTE - 1)
    expect([await status(), heard]).toEqual(['sent', []])
    await clock.advance(1)
    expect([await status(), calls.length]).toEqual(['unknown', 1])
    expect(heard.map(([error]) => String(error))).toEqual([
      `Error: The acquirer has not answered for 15 minutes what became of the sale ${orderId}-1`,
    ])
    await clock.advance('1m')
    expect([await status(), executed.length, lookedUp.length]).toEqual(['approved', 1, 1])
    expect(calls.map((url) => new URL(url).searchParams.get('status'))).toEqual(['unknown', 'approved'])
  })

  test('is looked up a little later if the store cannot take at once that its outcome is unknown', async () => {
    let isDown = false
    const store = committing(async (_, commit) => {
      if (isDown) throw new Error('the disk is full')
      return await commit()
    })
    const { execute } = undecided()
    const { acquirer, executed } = listening({ execute, lookup: async () => APPROVED })
    const { gateway, clock } = desk({ store, acquirer })
    await gateway.handle(sale())
    isDown = true
    await clock.advance('15m')
    isDown = false
    await clock.advance('2m')
    const order = await store.findOrder({ login: 'shop', clientOrderId: 'inv-1' })
    expect([order?.operations[0]?.status, executed.length]).toEqual(['approved', 1])
  })

  test.for([
    ['and not known by then, counts', UNKNOWN, APPROVED, 'approved', 1],
    ['and known by then, changes nothing', declined(), declined(), 'declined', 1],
    ['and approved by then, changes nothing', APPROVED, APPROVED, 'approved', 1],
    ['and known otherwise by then, is told to a person', declined(), APPROVED, 'declined', 2],
    ['and taken for approved by then, is told to a person', APPROVED, declined(), 'approved', 2],
    ['and known without a movement of money by then, changes nothing', NEVER_SENT, declined(), 'error', 1],
    ['and known better by then, changes nothing', APPROVED, UNKNOWN, 'approved', 1],
  ] as const)('but is said after all, %s', async ([, found, said, shown, errors]) => {
    const { pay, status, clock, calls, heard, decide, gateway } = silent(found)
    await pay()
    await clock.advance('20m')
    decide(said)
    await gateway.settled()
    expect([await status(), calls.length, heard.length]).toEqual([shown, 2, errors])
  })

  test('is looked up again if the look-up at the start is not answered either', async () => {
    const { store } = await interrupted()
    const answers = [new Promise<Decision>(() => {}), Promise.resolve(APPROVED)]
    const next = desk({ store, acquirer: deciding({ lookup: () => answers.shift() ?? Promise.resolve(UNKNOWN) }) })
    await next.gateway.isReady()
    await next.clock.advance('50s')
    await next.gateway.settled()
    await next.clock.advance('1m')
    expect((await store.findOrder({ login: 'shop', clientOrderId: 'inv-1' }))?.operations[0]?.status).toBe('approved')
  })
})

test.for([
  undefined,
  null,
  {},
  { status: 'pending' },
  { status: 'processing' },
  { status: 'processing', awaits: null },
  { status: 'processing', awaits: { step: 'selfie' } },
  { status: 'processing', awaits: { step: 'constructor' } },
  { status: 'processing', awaits: { step: 'challenge', acsUrl: 'https://acs.example.com/challenge' } },
  { status: 'processing', awaits: { ...STEPS.method, methodUrl: 7 } },
])(
  'what the acquirer answers with %j is looked up',
  async (answer: { readonly status?: string } | undefined | null) => {
    const awaitsNothing = answer?.status === 'processing' ? ', and what it awaits is no step of 3DS' : ''
    const { acquirer, executed, lookedUp } = listening({
      execute: async () => answer as Decision,
      lookup: async () => (lookedUp.length === 1 ? ((answer ?? { status: 'pending' }) as Decision) : APPROVED),
    })
    const { sale: pay, shown, clock, heard } = desk({ acquirer })
    const ids = await pay()
    expect([(await shown(ids))[0], String(heard[0]?.[0])]).toEqual([
      'unknown',
      `TypeError: The acquirer has answered with no decision: its status is ${answer?.status}${awaitsNothing}`,
    ])
    await clock.advance('6m')
    expect([(await shown(ids))[0], executed.length, lookedUp.length]).toEqual(['approved', 1, 2])
  },
)

/** Says that the customer will authenticate. */
const authenticating: Acquirer['tokenize'] = async (instrument) => {
  const { reference } = await tokenFrom(deciding({}), instrument)
  return { reference, authenticates: true }
}

describe('a 3DS step that nobody can take', () => {
  const awaitsStep: Decision = { status: 'processing', awaits: STEPS.challenge }
  const nobody = (kind: string, id: string) =>
    `TypeError: The acquirer awaits a step of 3DS for the ${kind} ${id}, which nobody can take: only what opens an order can await one, and only if tokenize said that the customer authenticates`

  test('is reported at once, and looked up, if the acquirer had said that the customer does not authenticate', async () => {
    const { acquirer, executed } = listening({ execute: async () => awaitsStep, lookup: async () => APPROVED })
    const { sale: pay, shown, clock, heard } = desk({ acquirer })
    const ids = await pay()
    expect([(await shown(ids))[0], heard.map(([error]) => String(error))]).toEqual([
      'unknown',
      [nobody('sale', `${ids.orderid}-1`)],
    ])
    await clock.advance('1m')
    expect([(await shown(ids))[0], executed.length]).toEqual(['approved', 1])
  })

  test('of a capture is reported at once, and looked up: the order does not wait for it forever', async () => {
    const acquirer = deciding({
      tokenize: authenticating,
      execute: async ({ kind }) => (kind === 'capture' ? awaitsStep : APPROVED),
      lookup: async () => APPROVED,
    })
    const { preauth, capture, shown, clock, heard } = desk({ acquirer })
    const ids = await preauth()
    await capture(ids)
    expect(heard.map(([error]) => String(error))).toEqual([nobody('capture', `${ids.orderid}-2`)])
    await clock.advance('1m')
    expect((await shown(ids))[2]).toBe('capture_approved')
  })
})

test.for([undefined, null, 7])('a decline whose message is %j is an outcome, and told', async (errorMessage) => {
  const decision = { status: 'declined', errorCode: '5', errorMessage }
  const {
    sale: pay,
    shown,
    calls,
    heard,
  } = desk({
    acquirer: deciding({ execute: async () => decision as unknown as Decision }),
  })
  expect((await shown(await pay({ server_callback_url: CALLBACK })))[0]).toBe('declined')
  expect(calls.map((url) => [...new URL(url).searchParams].filter(([name]) => name.startsWith('error')))).toEqual([
    [['error_code', '5']],
  ])
  expect(heard).toEqual([])
})

test('a look-up that is never answered counts, so that in the end the operator is told of the operation', async () => {
  const asked = Promise.withResolvers<void>()
  let lookUps = 0
  const acquirer = deciding({
    execute: async () => UNKNOWN,
    lookup: () => {
      lookUps++
      asked.resolve()
      return new Promise(() => {})
    },
  })
  const { sale: pay, clock, heard, store } = desk({ acquirer })
  const { orderid } = await pay()
  const at = clock.now()
  const due = clock.advance('1m')
  await asked.promise
  await clock.advance('50s')
  await due
  expect([lookUps, heard.map(([error]) => String(error))]).toEqual([
    1,
    ['Error: The acquirer has failed in lookup: The answer took too long'],
  ])
  expect(await store.tasksOf(orderid)).toMatchObject([{ kind: 'lookup', tried: 1, dueAt: at + 110_000 + 300_000 }])
})

/** A store that a process left while an operation was under way. The store knows only that it was sent. */
async function interrupted(kind: 'sale' | 'capture' = 'sale') {
  const { execute } = undecided()
  const simulated = deciding({})
  const acquirer = deciding({
    tokenize: authenticating,
    execute: (instruction) => (instruction.kind === kind ? execute() : simulated.execute(instruction)),
  })
  const made = desk({ acquirer })
  const { store } = made
  const sold = async (): Promise<Ids> => {
    const reply = await made.gateway.handle(made.request('/api/v2/sale', { ...SALE, server_callback_url: CALLBACK }))
    return { client_orderid: 'inv-1', orderid: fieldsOf(reply)['paynet-order-id'] ?? '' }
  }
  if (kind === 'sale') return { store, ids: await sold() }
  const ids = await made.preauth()
  await made.gateway.handle(made.request('/api/v2/capture', ids))
  return { store, ids }
}

describe('an operation that was on its way when the process ended', () => {
  test.for([
    ['approved', APPROVED, 'approved'],
    ['declined', declined(), 'declined'],
    ['not known', UNKNOWN, 'unknown'],
    ['waiting for its payer', { status: 'processing', awaits: STEPS.challenge }, 'processing'],
    ['never carried out', undefined, 'error'],
  ] as const)('is looked up at start, and is %s; it is never executed again', async ([, decision, status]) => {
    const { store, ids } = await interrupted()
    const { acquirer, executed, lookedUp } = listening({ lookup: async () => decision })
    const next = desk({ store, acquirer })
    await next.recovered()
    expect((await next.shown(ids))[0]).toBe(status)
    expect(lookedUp).toMatchObject([{ reference: `${ids.orderid}-1`, kind: 'sale', amount: 1042n }])
    await next.clock.advance('10m')
    expect(executed).toEqual([])
  })

  test('is known before anything else is answered', async () => {
    const { store, ids } = await interrupted('capture')
    const { acquirer, executed, lookedUp } = listening({ lookup: async () => APPROVED })
    const next = desk({ store, acquirer })
    const reply = await next.capture(ids)
    expect(reply['error-message']).toMatch(/one-in-flight|nothing is on hold/)
    expect(await next.shown(ids)).toEqual(['approved', 'capture', 'capture_approved', '10.42', '10.42'])
    expect(executed).toEqual([])
    expect(lookedUp).toMatchObject([{ reference: `${ids.orderid}-2`, kind: 'capture' }])
  })

  /** A sale that waits for its payer, as the next process has found out, while the process that sent it is still alive. */
  async function awaitingPayer() {
    const { execute, decide } = undecided()
    const first = desk({ acquirer: deciding({ tokenize: authenticating, execute }) })
    await first.gateway.handle(sale())
    const lookup = async (): Promise<Decision> => ({ status: 'processing', awaits: STEPS.challenge })
    const next = desk({ store: first.store, acquirer: deciding({ lookup }) })
    await next.recovered()
    return async (decision: Decision) => {
      decide(decision)
      await first.gateway.settled()
      return (await next.told({ client_orderid: 'inv-1' }))['status']
    }
  }

  test('and now waits for its payer is not changed if that process lives on and does not know the outcome', async () => {
    const shownAfter = await awaitingPayer()
    expect(await shownAfter(UNKNOWN)).toBe('processing')
  })

  test('and now waits for its payer ends as that process is told in the end, if it lives on', async () => {
    const shownAfter = await awaitingPayer()
    expect(await shownAfter(APPROVED)).toBe('approved')
  })

  test('is unknown when the acquirer cannot be asked, and is looked up later', async () => {
    const { store, ids } = await interrupted()
    const answers = [new Error('the line is down'), APPROVED]
    const lookup = async () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer
    }
    const next = desk({ store, acquirer: deciding({ lookup }) })
    await next.recovered()
    expect((await next.shown(ids))[0]).toBe('unknown')
    expect(next.heard).toHaveLength(1)
    await next.clock.advance('1m')
    expect((await next.shown(ids))[0]).toBe('approved')
  })

  test('is called back by the next process', async () => {
    const { store, ids } = await interrupted()
    const next = desk({ store, acquirer: deciding({ lookup: async () => APPROVED }) })
    await next.recovered()
    expect((await next.shown(ids))[0]).toBe('approved')
    expect(next.calls).toHaveLength(1)
  })
})
