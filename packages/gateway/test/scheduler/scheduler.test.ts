import { describe, expect, test } from 'vitest'
import { type Acquirer, type Decision, memoryStore } from '../../src/index.ts'
import type { Store } from '../../src/store-port.ts'
import { delivery, opening, operation, order } from '../store/changes.ts'
import { APPROVED, deciding } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { recurringDesk } from '../support/recurring.ts'
import { merchants, SALE } from '../support/signed-requests.ts'
import { shared } from '../support/stores.ts'

const CALLBACK = 'https://shop.example.com/callback'
const DOWN = new Error('the disk is full')

/** A store whose questions about what is due can be made to fail. */
function store() {
  const inner = memoryStore()
  const state = { isDown: false, looks: 0 }
  const up = async <T>(give: () => Promise<T>): Promise<T> => {
    if (state.isDown) throw DOWN
    return await give()
  }
  const store: Store = {
    ...inner,
    claimTasks: (claim) => {
      state.looks++
      return up(() => inner.claimTasks(claim))
    },
    nextDueAt: () => up(inner.nextDueAt),
  }
  return { store, state }
}

describe('what is due', () => {
  test('is not forgotten if the store fails at that moment: the store is asked again 5 s later', async () => {
    const { store: failing, state } = store()
    const { preauth, shown, clock, heard } = desk({ store: failing })
    const ids = await preauth()
    state.isDown = true
    await clock.advance('7d')
    expect(heard.length).toBeGreaterThan(0)
    expect(new Set(heard.map(([error]) => error))).toEqual(new Set([DOWN]))
    state.isDown = false
    await clock.advance(5000)
    expect((await shown(ids))[1]).toBe('cancel')
  })

  test('is looked for once at a time: however long a shared store is down, closing waits for only two looks', async () => {
    const inner = memoryStore()
    const away = { begun: 0, answer: Promise.resolve() }
    const asked = async () => {
      away.begun += 1
      await away.answer
    }
    const { cluster, wake } = shared(async () => {
      await asked()
      return []
    })
    const claimTasks: Store['claimTasks'] = async (claim) => {
      await asked()
      return await inner.claimTasks(claim)
    }
    const { gateway } = desk({ store: { ...inner, cluster, claimTasks } })
    await gateway.settled()
    const back = Promise.withResolvers<void>()
    Object.assign(away, { begun: 0, answer: back.promise })
    for (let looks = 0; looks < 10; looks++) {
      wake()
      await new Promise(setImmediate)
    }
    expect(away.begun).toBe(2)
    back.resolve()
    await gateway.settled()
    expect(away.begun).toBe(4)
  })

  test('and of a kind that only a newer version knows is left to it, reported once, and holds up nothing else', async () => {
    const store = memoryStore()
    const { preauth, shown, clock, heard } = desk({ store })
    const ids = await preauth()
    const dueAt = clock.now() + 7 * 86_400_000
    const newer = { id: 'a newer task', kind: 'of-tomorrow' as 'release', orderId: ids.orderid, dueAt, tried: 0 }
    await store.commit({ tasks: [newer] }, clock.now())
    await clock.advance('7d')
    expect((await shown(ids))[1]).toBe('cancel')
    await clock.advance('10m')
    expect(heard.map(([error]) => error)).toEqual([
      new Error('Tasks of the kind of-tomorrow are left to a newer version'),
    ])
    expect(await store.tasksOf(ids.orderid)).toMatchObject([{ id: 'a newer task' }])
  })

  test('is looked for at least once a day: no timer is longer than Node allows', async () => {
    const delays: number[] = []
    const made = desk()
    const schedule = made.clock.schedule
    const clock = {
      ...made.clock,
      schedule: (delayMs: number, task: Parameters<typeof schedule>[1]) => {
        delays.push(delayMs)
        return schedule(delayMs, task)
      },
    }
    const { preauth, shown } = desk({ clock })
    const ids = await preauth()
    await clock.advance('7d')
    expect((await shown(ids))[1]).toBe('cancel')
    expect(Math.max(...delays)).toBe(86_400_000)
  })

  test('is not put off by what is due later', async () => {
    const answers = [503, 200]
    const sentAt: number[] = []
    const made: ReturnType<typeof desk> = desk({
      sendCallback: async () => {
        sentAt.push(made.clock.now())
        return { status: answers.shift() ?? 500 }
      },
    })
    await made.sale({ server_callback_url: CALLBACK })
    await made.preauth()
    await made.clock.advance('1m')
    expect(sentAt).toHaveLength(2)
  })

  test('because of another process runs when it is due, even if something later was expected', async () => {
    const inner = memoryStore()
    const { cluster, wake } = shared()
    const { preauth, gateway, calls, clock } = desk({ store: { ...inner, cluster } })
    await preauth()
    const dueAt = clock.now() + 3_600_000
    const theirs = order(1, { operations: [operation({ status: 'declined' })] })
    await inner.commit({ ...opening(theirs), deliveries: [delivery(theirs, { dueAt, createdAt: dueAt })] }, clock.now())
    wake()
    await gateway.settled()
    await clock.advance(3_600_000 - 1)
    expect(calls).toEqual([])
    await clock.advance(1)
    expect(calls).toHaveLength(1)
  })

  test('with an outcome that is written is claimed and sent without asking the store for it', async () => {
    const inner = memoryStore()
    const asked: string[] = []
    const noting =
      <Args extends readonly unknown[], Answer>(name: string, ask: (...args: Args) => Answer) =>
      (...args: Args): Answer => {
        asked.push(name)
        return ask(...args)
      }
    const { sale, calls, gateway } = desk({
      store: {
        ...inner,
        orderById: noting('order', inner.orderById),
        claimDeliveries: noting('claim', inner.claimDeliveries),
      },
    })
    await gateway.settled()
    asked.length = 0
    const { orderid } = await sale({ server_callback_url: CALLBACK })
    await gateway.settled()
    expect([asked, calls.length]).toEqual([[], 1])
    expect(await inner.deliveriesOf(orderid)).toMatchObject([{ state: 'acknowledged', made: 1 }])
  })

  test('with an outcome is sent again when its claim ends, if the result of the attempt could not be written', async () => {
    const inner = memoryStore()
    let isDown = true
    const commit: Store['commit'] = async (change, now) => {
      if (isDown && change.attempts !== undefined) throw DOWN
      return await inner.commit(change, now)
    }
    const { sale, calls, clock, heard } = desk({ store: { ...inner, commit } })
    await sale({ server_callback_url: CALLBACK })
    isDown = false
    await clock.advance(60_000 - 1)
    expect(calls).toHaveLength(1)
    await clock.advance(1)
    expect([calls.length, heard.map(([error]) => error)]).toEqual([2, [DOWN]])
  })

  test('runs in the order of time, each at its own time', async () => {
    const sentAt: Array<readonly [path: string, at: number]> = []
    const made: ReturnType<typeof desk> = desk({
      sendCallback: async (url) => {
        sentAt.push([new URL(url).pathname, made.clock.now()])
        return { status: sentAt.length === 1 ? 503 : 200 }
      },
    })
    const start = made.clock.now()
    await made.preauth({ notify_url: CALLBACK })
    await made.clock.advance('8d')
    const hours = sentAt.map(([, at]) => Math.floor((at - start) / 3_600_000))
    expect(hours).toEqual([0, 0, 168])
    expect(sentAt[2]?.[1]).toBe(start + 7 * 86_400_000)
  })

  test('is waited for by a clock that is told to go on, also where something else fails, and each failure is told', async () => {
    const inner = memoryStore()
    const broken = new Set<string>()
    const orderById: Store['orderById'] = async (orderId) => {
      if (broken.has(orderId)) throw new Error(`${orderId} cannot be read`)
      return await inner.orderById(orderId)
    }
    const released: string[] = []
    const acquirer = deciding({
      execute: async ({ kind, orderId }) => {
        if (kind !== 'cancel') return APPROVED
        await new Promise(setImmediate)
        released.push(orderId)
        return APPROVED
      },
    })
    const { preauth, clock, heard } = desk({ store: { ...inner, orderById }, acquirer })
    const [first, second, third] = [await preauth(), await preauth(), await preauth()]
    broken.add(first.orderid).add(second.orderid)
    await clock.advance('7d')
    expect(released).toEqual([third.orderid])
    expect(heard.map(([error]) => String(error)).toSorted()).toEqual(
      [first, second].map(({ orderid }) => `Error: ${orderid} cannot be read`).toSorted(),
    )
    broken.clear()
    await clock.advance(60_000)
    expect(released.toSorted()).toEqual([first.orderid, second.orderid, third.orderid].toSorted())
  })

  test('is waited for with the callback that comes of it, also where what was due after it was over first', async () => {
    const [asked, charged] = [Promise.withResolvers<void>(), Promise.withResolvers<Decision>()]
    const execute: Acquirer['execute'] = async (instruction) => {
      if (instruction.kind !== 'sale') return APPROVED
      asked.resolve()
      return await charged.promise
    }
    let answered = 0
    const sendCallback = async () => {
      await new Promise(setImmediate)
      answered += 1
      return { status: 200 }
    }
    const { preauth, profile, clock } = recurringDesk({ acquirer: deciding({ execute }), sendCallback })
    await profile({ 'start-date': '2030-01-08', server_callback_url: CALLBACK })
    await clock.advance(1000)
    await preauth()
    const charge = clock.advance('7d')
    await asked.promise
    await clock.advance(1000)
    charged.resolve(APPROVED)
    await charge
    expect(answered).toBe(1)
  })

  test('is sent once if it is a callback that is under way while a clock skips an hour', async () => {
    const begun = Promise.withResolvers<void>()
    let sent = 0
    const sendCallback = async () => {
      sent++
      begun.resolve()
      await new Promise(setImmediate)
      return { status: 200 }
    }
    const { gateway, request, clock } = desk({ sendCallback })
    await gateway.handle(request('/api/v2/sale', { ...SALE, client_orderid: 'under-way', notify_url: CALLBACK }))
    await begun.promise
    await clock.advance('1h')
    await gateway.settled()
    expect(sent).toBe(1)
  })

  test('at one instant all runs, even if it is more than is claimed at once', async () => {
    const { gateway, request, clock, calls } = desk({ merchants: merchants().slice(0, 1) })
    const many = Array.from({ length: 300 }, (_, each) => each)
    for (const each of many) {
      const fields = { ...SALE, client_orderid: `many-${each}`, notify_url: CALLBACK }
      await gateway.handle(request('/api/v2/preauth', fields))
    }
    await gateway.settled()
    expect(calls).toHaveLength(300)
    await clock.advance('7d')
    await gateway.settled()
    expect(calls).toHaveLength(600)
  })

  /** Preauthorizations whose holds expire at the same instant, and how many releases the acquirer is asked for at once. */
  async function expiring(count: number, cancel: () => Promise<Decision>) {
    const asked = { now: 0, most: 0 }
    const acquirer = deciding({
      execute: async ({ kind }) => {
        if (kind !== 'cancel') return APPROVED
        asked.most = Math.max(asked.most, ++asked.now)
        const decision = await cancel()
        asked.now--
        return decision
      },
    })
    // One merchant has all places.
    const made = desk({ acquirer, merchants: merchants().slice(0, 1) })
    for (let each = 1; each <= count; each++) {
      const fields = { ...SALE, client_orderid: `many-${each}` }
      await made.gateway.handle(made.request('/api/v2/preauth', fields))
    }
    await made.gateway.settled()
    const held = async () => {
      const orders = await made.store.recentOrders('shop', count)
      return orders.filter(({ operations }) => operations.length === 1).length
    }
    return { ...made, asked, held }
  }

  test('at one instant comes to the acquirer 256 at a time: it also has to answer customers who pay now', async () => {
    const { clock, asked, held } = await expiring(600, async () => {
      await new Promise(setImmediate)
      return APPROVED
    })
    await clock.advance('7d')
    expect([asked.most, asked.now, await held()]).toEqual([256, 0, 0])
  })

  test('takes room only as long as its claim holds: what never ends delays nothing else for longer', async () => {
    const { clock, asked, held } = await expiring(257, () => new Promise(() => {}))
    void clock.advance('7d')
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    expect([asked.now, await held()]).toEqual([256, 1])
    void clock.advance(60_000)
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    expect([asked.now, await held()]).toEqual([257, 0])
  })
})
