import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryStore, type Order } from '../../src/index.ts'

let made = 0

function order(login: string, clientOrderId: string): Order {
  made++
  return {
    orderId: `9${String(made).padStart(14, '0')}`,
    serialNumber: `serial-${made}`,
    login,
    endpointId: '1111',
    clientOrderId,
    digest: 'd',
    transactionType: 'sale',
    amount: '10.42',
    currency: 'EUR',
    status: 'processing',
    outcome: {},
    card: {
      bin: '444433',
      lastFourDigits: '1111',
      cardType: 'VISA',
      cardholderName: 'J',
      cardExpireMonth: '12',
      cardExpireYear: '2031',
    },
    payer: { email: 'a@b', phone: '123456', firstName: undefined, lastName: undefined },
    serverCallbackUrl: undefined,
    merchantData: undefined,
  }
}

describe('orders', () => {
  test('[G13-10] the second of one login and client order id is not inserted and gives the first', async () => {
    const store = memoryStore()
    const first = order('shop', 'inv-1')
    expect(await store.insertOrder(first)).toEqual({ inserted: true, order: first })
    expect(await store.insertOrder(order('shop', 'inv-1'))).toEqual({ inserted: false, order: first })
    expect(await store.findOrder({ login: 'shop', clientOrderId: 'inv-1' })).toEqual(first)
  })

  test.for([
    [
      ['a', 'b,c'],
      ['a,b', 'c'],
    ],
    [
      ['a"', 'b'],
      ['a', '"b'],
    ],
    [
      ['a","b', 'c'],
      ['a', 'b","c'],
    ],
    [
      ['["a"', 'b'],
      ['a', '"b"]'],
    ],
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [
      ['a\\', '"b'],
      ['a', '\\"b'],
    ],
    [
      ['a', 'b'],
      ['a', 'B'],
    ],
    [
      ['a', 'é'],
      ['a', 'e\u0301'],
    ],
    [
      ['a', '__proto__'],
      ['a', 'constructor'],
    ],
    [
      ['a\0', 'b'],
      ['a', '\0b'],
    ],
  ] as const)('%j and %j are two orders', async ([[login, id], [otherLogin, otherId]]) => {
    const store = memoryStore()
    const [one, other] = [order(login, id), order(otherLogin, otherId)]
    expect(await store.insertOrder(one)).toMatchObject({ inserted: true })
    expect(await store.insertOrder(other)).toMatchObject({ inserted: true })
    expect(await store.findOrder({ login, clientOrderId: id })).toBe(one)
    expect(await store.findOrder({ login: otherLogin, clientOrderId: otherId })).toBe(other)
  })

  test('any login with any client order id names one order of its own', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '[', ']', '\\', '\0', ' '), maxLength: 4 })
    const name = fc.tuple(text, text)
    const names = fc.uniqueArray(name, { selector: ([login, id]) => `${login.length} ${login}${id}`, maxLength: 10 })
    const property = fc.asyncProperty(names, async (pairs) => {
      const store = memoryStore()
      const orders = pairs.map(([login, id]) => order(login, id))
      for (const one of orders) await store.insertOrder(one)
      const found = await Promise.all(orders.map((one) => store.findOrder(one)))
      return found.every((one, at) => one === orders[at])
    })
    await fc.assert(property, { numRuns: 200 })
  })

  test('is found by all the names that are given, or not at all', async () => {
    const store = memoryStore()
    const one = order('shop', 'inv-1')
    await store.insertOrder(one)
    const { orderId, serialNumber } = one
    const names = { login: 'shop', clientOrderId: 'inv-1' }
    expect(await store.findOrder({ ...names, orderId, serialNumber })).toBe(one)
    expect(await store.findOrder({ ...names, orderId: '1' })).toBeUndefined()
    expect(await store.findOrder({ ...names, orderId, serialNumber: 'another' })).toBeUndefined()
    expect(await store.findOrder({ ...names, login: 'rival', orderId })).toBeUndefined()
    expect(await store.findOrder({ ...names, clientOrderId: 'inv-2', orderId })).toBeUndefined()
  })

  test.for(['approved', 'declined', 'filtered', 'error'])(
    '[G5-01] one that is %s is decided no more',
    async (status) => {
      const store = memoryStore()
      const { orderId } = (await store.insertOrder(order('shop', 'inv-1'))).order
      expect(await store.decideOrder(orderId, status, { orderStage: 'x' })).toMatchObject({
        status,
        outcome: { orderStage: 'x' },
      })
      await expect(store.decideOrder(orderId, 'approved', {})).rejects.toThrow('final')
      expect(await store.findOrder({ login: 'shop', clientOrderId: 'inv-1' })).toMatchObject({ status })
    },
  )

  test('[G5-06] one that is unknown or processing may still become anything', async () => {
    const store = memoryStore()
    const { orderId } = (await store.insertOrder(order('shop', 'inv-1'))).order
    for (const status of ['processing', 'unknown', 'processing', 'unknown', 'approved']) {
      expect(await store.decideOrder(orderId, status, {})).toMatchObject({ status })
    }
  })

  test('one that there is not is not decided', async () => {
    await expect(memoryStore().decideOrder('1', 'approved', {})).rejects.toThrow('no order')
  })
})

describe('nonces', () => {
  const used = { consumerKey: 'shop', timestamp: 1_893_456_000, nonce: 'n' }
  const at = (seconds: number) => (used.timestamp + seconds) * 1000

  test('[G13-04] are burned once for each consumer and timestamp', async () => {
    const { burnNonce } = memoryStore()
    expect(await burnNonce(used, at(0))).toBe(true)
    expect(await burnNonce(used, at(0))).toBe(false)
    expect(await burnNonce({ ...used, consumerKey: 'rival' }, at(0))).toBe(true)
    expect(await burnNonce({ ...used, timestamp: used.timestamp + 1 }, at(0))).toBe(true)
    expect(await burnNonce({ ...used, nonce: 'N' }, at(0))).toBe(true)
    expect(await burnNonce({ consumerKey: 'shop","', nonce: 'n', timestamp: used.timestamp }, at(0))).toBe(true)
  })

  test('[G13-04] are kept while their timestamp is accepted, and forgotten after that', async () => {
    const { burnNonce } = memoryStore()
    expect(await burnNonce(used, at(-300))).toBe(true)
    expect(await burnNonce(used, at(0))).toBe(false)
    expect(await burnNonce(used, at(300))).toBe(false)
    expect(await burnNonce(used, at(300.001))).toBe(true)
  })

  test('[G13-04] are remembered exactly as long as they could be replayed, whatever comes in between', async () => {
    const steps = fc.array(
      fc.record({
        wait: fc.integer({ min: 0, max: 200 }),
        off: fc.integer({ min: -300, max: 300 }),
        nonce: fc.constantFrom('a', 'b'),
      }),
      { maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (requests) => {
        const { burnNonce } = memoryStore()
        const seen = new Set<string>()
        let now = 1_893_456_000
        for (const { wait, off, nonce } of requests) {
          now += wait
          const timestamp = now + off
          const fresh = !seen.has(`${timestamp} ${nonce}`)
          if ((await burnNonce({ consumerKey: 'shop', timestamp, nonce }, now * 1000)) !== fresh) return false
          seen.add(`${timestamp} ${nonce}`)
        }
        return true
      }),
    )
  })

  test('[G13-04] that left the window take no room: each of a day of them is taken again a day later', async () => {
    const { burnNonce } = memoryStore()
    let taken = 0
    for (let second = 0; second < 86_400; second += 60) {
      if (await burnNonce({ ...used, timestamp: used.timestamp + second }, at(second))) taken++
    }
    expect(taken).toBe(1440)
    for (let second = 0; second < 86_400; second += 60) {
      if (await burnNonce({ ...used, timestamp: used.timestamp + second }, at(86_400 + 300))) taken++
    }
    expect(taken).toBe(2880)
  })
})
