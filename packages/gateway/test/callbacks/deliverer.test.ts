import { describe, expect, test } from 'vitest'
import type { SendCallback } from '../../src/callbacks/callback-answer.ts'
import { deliverer, noAnswer } from '../../src/callbacks/deliverer.ts'
import { AddressNotAllowedError } from '../../src/http/allowed-address.ts'
import { virtualClock } from '../../src/runtime/clock.ts'
import type { Delivery } from '../../src/store/delivery.ts'
import { delivery, desk, type Reply } from './delivery-desk.ts'

const MINUTE = 60

/** A shop that answers when the test says so. */
function slowShop() {
  const answers: Array<(reply: Reply) => void> = []
  const shop = desk({ answer: () => new Promise<Reply>((resolve) => answers.push(resolve)), fraction: 0 })
  /** Waits until everything that can happen by now has happened. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    ...shop,
    settle,
    /** Begins to send deliveries, numbered from 1. */
    begin: async (count: number, url = 'https://shop.example.com/cb') => {
      const begun = Array.from({ length: count }, (_, at) =>
        shop.deliver(delivery({ id: `d${at + 1}`, url: `${url}?n=${at + 1}` })),
      )
      await settle()
      return { written: Promise.all(begun) }
    },
    answerNext: async (reply: Reply) => {
      answers.shift()?.(reply)
      await settle()
    },
    answerAll: async (reply: Reply) => {
      while (answers.length > 0) {
        for (const answer of answers.splice(0)) answer(reply)
        await settle()
      }
    },
  }
}

describe('a delivery', () => {
  test('[G6-03] is sent until a shop answers 200', async () => {
    const answers: Reply[] = [new Error('x'), 503, 302, 200]
    const { add, advance, calledAt, row } = desk({ answer: () => answers.shift() ?? 500 })
    add()
    await advance(30 * 86_400)
    expect(calledAt).toEqual([0, 5, 20, 50])
    expect(row()).toMatchObject({ state: 'acknowledged', made: 4, firstAt: 0, lastAnswer: '200', dueAt: undefined })
  })

  test('waits as long as the shop asks', async () => {
    const answers: Reply[] = [{ status: 503, retryAfter: '100' }, { status: 429, retryAfter: '1' }, 200]
    const { add, advance, calledAt } = desk({ answer: () => answers.shift() ?? 500 })
    add()
    await advance(86_400)
    expect(calledAt).toEqual([0, 100, 115])
  })

  test('waits as long if a sender in plain JavaScript returns the seconds as a number, and counts the attempt', async () => {
    const answer: object = { status: 503, retryAfter: 100 }
    const { add, advance, calledAt, row, heard } = desk({ answer: () => answer as Reply })
    add()
    await advance(199)
    expect([calledAt, row()?.made, heard]).toEqual([[0, 100], 2, []])
  })

  test('is sent to its address unchanged', async () => {
    const { deliver, called } = desk({ answer: () => 200 })
    const url = 'https://shop.example.com/cb?x=%C3%A4%20b&control=0a'
    await deliver(delivery({ url }))
    expect(called).toEqual([url])
  })

  test('is written with the claim that it was sent under', async () => {
    const committed: unknown[] = []
    const { deliver } = deliverer({
      clock: virtualClock(0),
      fraction: () => 0.5,
      beforeAttempt: async (each) => ({ delivery: each, serialNumber: undefined }),
      send: async () => ({ status: 200 }),
      commit: async (change) => {
        committed.push(change)
        return { ok: true }
      },
      onOutcome: () => {},
      onError: (error) => committed.push(error),
    })
    await deliver(delivery({ dueAt: 60_000 }))
    const over = { state: 'acknowledged', made: 1, firstAt: 0, lastAnswer: '200', dueAt: undefined } as const
    expect(committed).toEqual([{ attempts: [{ delivery: delivery(over), claimedUntil: 60_000 }] }])
  })

  test('that is claimed again while it is sent is sent once and written with the new claim, unless it never ends', async () => {
    const ends: Array<() => void> = []
    const claims: unknown[] = []
    const clock = virtualClock(0)
    const { deliver } = deliverer({
      clock,
      fraction: () => 0.5,
      beforeAttempt: async (each) => ({ delivery: each, serialNumber: undefined }),
      send: () => new Promise((resolve) => ends.push(() => resolve({ status: 200 }))),
      commit: async ({ attempts = [] }) => {
        claims.push(...attempts.map(({ claimedUntil }) => claimedUntil))
        return { ok: true }
      },
      onOutcome: () => {},
      onError: (error) => claims.push(error),
    })
    const first = deliver(delivery({ dueAt: 60_000 }))
    await clock.advance(60_000)
    const second = deliver(delivery({ dueAt: 120_000 }))
    await new Promise(setImmediate)
    expect(ends).toHaveLength(1)
    await clock.advance(60_000)
    const third = deliver(delivery({ dueAt: 180_000 }))
    await new Promise(setImmediate)
    expect(ends).toHaveLength(2)
    for (const end of ends) end()
    await Promise.all([first, second, third])
    expect(new Set(claims)).toEqual(new Set([120_000, 180_000]))
  })

  test('that replaced another whose attempt outlasts its claim is sent itself', async () => {
    const ends: Array<() => void> = []
    const written: unknown[] = []
    const clock = virtualClock(0)
    const { deliver } = deliverer({
      clock,
      fraction: () => 0.5,
      beforeAttempt: async (each) => ({ delivery: each, serialNumber: undefined }),
      send: () => new Promise((resolve) => ends.push(() => resolve({ status: 200 }))),
      commit: async ({ attempts = [] }) => {
        written.push(...attempts.map(({ delivery: { url }, claimedUntil }) => [url, claimedUntil]))
        return { ok: true }
      },
      onOutcome: () => {},
      onError: (error) => written.push(error),
    })
    const unknown = 'https://shop.example.com/cb?status=unknown'
    const approved = 'https://shop.example.com/cb?status=approved'
    const first = deliver(delivery({ url: unknown, dueAt: 60_000 }))
    await clock.advance(60_000)
    const second = deliver(delivery({ url: approved, dueAt: 120_000 }))
    await new Promise(setImmediate)
    expect(ends).toHaveLength(2)
    for (const end of ends) end()
    await Promise.all([first, second])
    expect(written).toHaveLength(2)
    expect(written).toEqual(
      expect.arrayContaining([
        [unknown, 60_000],
        [approved, 120_000],
      ]),
    )
  })

  test('that a sender refuses counts as a failed attempt', async () => {
    const refused = Object.assign(new Error('no'), { code: 'ADDRESS_NOT_ALLOWED' })
    const { add, advance, row } = desk({ answer: () => refused })
    add({ url: 'http://[' })
    await advance(0)
    expect(row()).toMatchObject({ state: 'open', made: 1, dueAt: 5000, lastAnswer: 'address not allowed' })
  })
})

describe('a delivery that was written a while ago', () => {
  test('is sent and reported with the current address, and keeps the stored one', async () => {
    const newer = 'https://new.example.com/cb'
    const { add, advance, called, row, told } = desk({
      answer: () => 500,
      beforeAttempt: async (each) => ({ delivery: { ...each, url: newer }, serialNumber: undefined }),
    })
    add()
    await advance(0)
    expect([called, told]).toEqual([[newer], [newer]])
    expect(row()).toEqual({ ...delivery(), made: 1, firstAt: 0, lastAnswer: '500', dueAt: 5000 })
  })

  test('is over without an attempt if no address is configured for it any more', async () => {
    const { add, advance, called, row, told } = desk({
      answer: () => 200,
      beforeAttempt: async () => ({ delivery: undefined, serialNumber: undefined }),
    })
    add({ made: 3, firstAt: 0, lastAnswer: '500' })
    await advance(0)
    expect([called, told]).toEqual([[], [delivery().url]])
    expect(row()).toMatchObject({ state: 'given-up', made: 3, lastAnswer: '500', dueAt: undefined })
  })

  test('is due again when its claim ends if the order cannot be read', async () => {
    const away = new Error('the store is away')
    const { deliver, called, heard } = desk({ answer: () => 200, beforeAttempt: () => Promise.reject(away) })
    await deliver(delivery())
    expect([called, heard]).toEqual([[], [away]])
  })
})

describe('a failure inside', () => {
  const clock = virtualClock(0)
  const rest = {
    clock,
    fraction: () => 0.5,
    beforeAttempt: async (each: Delivery) => ({ delivery: each, serialNumber: undefined }),
  }

  test('of the store is reported, and nothing is thrown', async () => {
    const heard: unknown[] = []
    const down = new Error('disk full')
    const { deliver } = deliverer({
      ...rest,
      send: async () => ({ status: 200 }),
      commit: () => Promise.reject(down),
      onOutcome: () => {},
      onError: (error) => heard.push(error),
    })
    await deliver(delivery())
    expect(heard).toEqual([down])
  })

  test('is reported too if the store refuses', async () => {
    const heard: unknown[] = []
    const { deliver } = deliverer({
      ...rest,
      send: async () => ({ status: 200 }),
      commit: async () => ({ ok: false, conflict: 'order' }),
      onOutcome: () => {},
      onError: (error) => heard.push(error),
    })
    await deliver(delivery())
    expect(heard).toEqual([new Error('The outcome of a callback was not written (order)')])
  })

  const failing: ReadonlyArray<readonly [what: string, send: SendCallback]> = [
    [
      'throws before it gives a promise',
      () => {
        throw new Error('no socket')
      },
    ],
    ['answers nothing, as JavaScript may', async () => JSON.parse('null')],
  ]
  test.for(failing)('of a sender that %s is an attempt like another, and leaves its place', async ([_what, send]) => {
    const written: unknown[] = []
    const { deliver, close } = deliverer({
      ...rest,
      send,
      commit: async ({ attempts = [] }) => {
        written.push(...attempts.map(({ delivery: { made, lastAnswer } }) => `${made} ${lastAnswer}`))
        return { ok: true }
      },
      onOutcome: () => {},
      onError: (error) => written.push(error),
    })
    for (let at = 0; at < 4; at++) await deliver(delivery())
    expect(written).toEqual(Array(4).fill('1 no answer'))
    await close()
  })
})

describe('a host', () => {
  test('is called four times at once, and then in order', async () => {
    const { begin, called, answerNext, answerAll, rows } = slowShop()
    const begun = await begin(7)
    const numbers = () => called.map((url) => Number(url.split('=')[1]))
    expect(numbers()).toEqual([1, 2, 3, 4])
    await answerNext(200)
    expect(numbers()).toEqual([1, 2, 3, 4, 5])
    await answerAll(200)
    await begun.written
    expect(numbers()).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(rows().map(({ state }) => state)).toEqual(Array(7).fill('acknowledged'))
  })

  test('is a name and a port: one that hangs does not delay the others', async () => {
    const { begin, called, answerAll, settle, deliver } = slowShop()
    await begin(9)
    for (const url of [
      'https://shop.example.com:8443/',
      'https://other.example.com/',
      'https://SHOP.example.com./',
      'https://shop.example.com:443/',
    ]) {
      void deliver(delivery({ id: url, url }))
    }
    await settle()
    expect(called.slice(4)).toEqual(['https://shop.example.com:8443/', 'https://other.example.com/'])
    await answerAll(200)
  })

  test('that is slow gets the rest later, one by one, without counting an attempt', async () => {
    const { begin, clock, answerAll, settle, deliver, row, called } = slowShop()
    await begin(4)
    await clock.advance(10_000)
    await answerAll(200)
    for (let at = 1; at <= 10; at++) void deliver(delivery({ id: `late${at}` }))
    await settle()
    expect(called).toHaveLength(8)
    const putOff = [8, 9, 10].map((at) => row(`late${at}`))
    expect(putOff.map((each) => [each?.made, each?.state])).toEqual(Array(3).fill([0, 'open']))
    const due = putOff.map((each) => each?.dueAt ?? 0)
    expect(due[0]).toBeGreaterThan(clock.now() + 5000)
    for (const at of [1, 2]) expect((due[at] ?? 0) - (due[at - 1] ?? 0)).toBeGreaterThan(1500)
    await answerAll(200)
  })

  test('that turns out slow puts off what has waited for twenty seconds', async () => {
    const { begin, clock, answerNext, answerAll, rows, called } = slowShop()
    const begun = await begin(20)
    await clock.advance(21_000)
    await answerNext(200)
    expect(called).toHaveLength(4)
    expect(rows().filter(({ state, made }) => state === 'open' && made === 0)).toHaveLength(16)
    await answerAll(200)
    await begun.written
    expect(rows().filter(({ state }) => state === 'acknowledged')).toHaveLength(4)
  })
})

describe('a host that fails', () => {
  const failures: readonly Reply[] = [new Error('x'), 429, 500, 503, 599]
  test.for(failures)('five times in a row is left alone for a minute, at no cost of the others: %s', async (answer) => {
    const { add, advance, calledAt, rows } = desk({ answer: () => answer, fraction: 0 })
    for (let at = 1; at <= 8; at++) add({ id: `d${at}` })
    await advance(1)
    expect(calledAt).toEqual(Array(8).fill(0).slice(0, calledAt.length))
    expect(calledAt.length).toBeGreaterThanOrEqual(5)
    const made = rows().reduce((sum, row) => sum + row.made, 0)
    expect(made).toBe(calledAt.length)
    const before = calledAt.length
    await advance(58)
    expect(calledAt).toHaveLength(before)
    await advance(2)
    expect(calledAt.slice(before)).toEqual([60])
  })

  test('gets all that was put off once one delivery got through', async () => {
    let isUp = false
    const { add, advance, rows } = desk({ answer: () => (isUp ? 200 : 503) })
    for (let at = 1; at <= 50; at++) add({ id: `d${at}` })
    await advance(30 * MINUTE)
    isUp = true
    await advance(25 * MINUTE)
    expect(rows().filter(({ state }) => state !== 'acknowledged')).toEqual([])
  })

  test('for weeks is called at most once in ten minutes, and every delivery ends', async () => {
    const { add, advance, calledAt, rows } = desk({ answer: () => new Error('x') })
    for (let at = 1; at <= 40; at++) add({ id: `d${at}` })
    await advance(28 * 86_400)
    expect(rows().map(({ state }) => state)).toEqual(Array(40).fill('given-up'))
    expect(rows().reduce((sum, { made }) => sum + made, 0)).toBe(calledAt.length)
    const later = calledAt.filter((at) => at > 3600)
    for (const [at, seconds] of later.entries()) expect(seconds - (later[at - 1] ?? 0)).toBeGreaterThanOrEqual(600)
  })

  test('[F-B5] is not the same by http and by https: that one merchant is refused at the one port puts off nothing at the other', async () => {
    const { add, advance, rows } = desk({
      answer: (url) => (url.startsWith('http:') ? Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) : 200),
      beforeAttempt: async (each) => ({ delivery: each, serialNumber: undefined, login: each.id.slice(0, 5) }),
    })
    for (let at = 1; at <= 5; at++) add({ id: `rival-${at}`, url: 'http://shop.example.com/' })
    await advance(1)
    add({ id: 'owner' })
    await advance(1)
    expect(rows().find(({ id }) => id === 'owner')).toMatchObject({ state: 'acknowledged', made: 1 })
  })

  test('does not keep other hosts from being called', async () => {
    const { add, advance, called } = desk({ answer: (url) => (url.includes('dead') ? 500 : 200) })
    for (let at = 1; at <= 10; at++) add({ id: `d${at}`, url: 'https://dead.example.com/' })
    await advance(10)
    add({ id: 'other' })
    await advance(0)
    expect(called.at(-1)).toBe(delivery().url)
  })

  test.for([301, 400, 404])('is not one that answers %i: it is there', async (status) => {
    const { add, advance, calledAt } = desk({ answer: () => status })
    for (let at = 1; at <= 20; at++) add({ id: `d${at}` })
    await advance(5)
    expect(calledAt).toEqual([...Array(20).fill(0), ...Array(20).fill(5)])
  })
})

describe('closing', () => {
  test('waits for what is under way, puts off what waits, and sends nothing new', async () => {
    const { begin, close, answerAll, called, rows, row, deliver, settle } = slowShop()
    await begin(6)
    let isClosed = false
    const closed = close().then(() => {
      isClosed = true
    })
    await settle()
    expect(isClosed).toBe(false)
    expect([row('d5'), row('d6')].map((each) => [each?.state, each?.made, each?.dueAt])).toEqual([
      ['open', 0, 0],
      ['open', 0, 0],
    ])
    await deliver(delivery({ id: 'late' }))
    expect(row('late')).toMatchObject({ made: 0, dueAt: 0 })
    await answerAll(200)
    await closed
    expect(called).toHaveLength(4)
    expect(rows().filter(({ state }) => state === 'acknowledged')).toHaveLength(4)
  })
})

/** Deliveries of several merchants: to the hosts that begin with `silent` there is no answer for 15 s. */
function silentHosts() {
  const busy = { now: 0, most: 0 }
  const reached: unknown[] = []
  const shop = desk({
    fraction: 0,
    beforeAttempt: async (each) => ({ delivery: each, serialNumber: undefined, login: each.orderId }),
    onLimit: (limit) => reached.push(limit),
    answer: async (url) => {
      if (!url.includes('silent')) return 200
      busy.most = Math.max(busy.most, ++busy.now)
      const { promise, resolve } = Promise.withResolvers<void>()
      shop.clock.schedule(15_000, resolve)
      await promise
      busy.now--
      return Object.assign(new Error('no answer'), { code: 'TIMED_OUT' })
    },
  })
  /** Begins to send deliveries of one merchant, each to a silent host of its own. */
  const flood = (login: string, count: number) => {
    for (let at = 0; at < count; at++) {
      void shop.deliver(
        delivery({ id: `${login}-${at}`, orderId: login, url: `https://silent-${at}.${login}.example/` }),
      )
    }
  }
  return { ...shop, busy, reached, flood }
}

describe('[F-B1] the connections for callbacks', () => {
  test('of one merchant are 64 at most, though 1,300 of its hosts are silent, and another merchant notices nothing', async () => {
    const { flood, busy, reached, deliver, called, rows } = silentHosts()
    flood('hostile', 1300)
    await deliver(delivery({ id: 'honest', orderId: 'honest', url: 'https://honest.example/' }))
    expect(busy).toEqual({ now: 64, most: 64 })
    expect(called).toContain('https://honest.example/')
    expect(rows()).toEqual([expect.objectContaining({ id: 'honest', state: 'acknowledged', lastAnswer: '200' })])
    expect(reached).toEqual([])
  })

  test('are 256 at most in all, and each delivery that finds no room is put off without being an attempt', async () => {
    const { flood, busy, reached, clock, rows, settled } = silentHosts()
    for (const login of ['a', 'b', 'c', 'd', 'e', 'f']) flood(login, 200)
    for (let at = 0; at < 6; at++) await clock.advance(15_000)
    await settled()
    expect(busy).toEqual({ now: 0, most: 256 })
    expect(reached).toContainEqual({ limit: 'callback-connections', login: 'a' })
    expect(rows()).toHaveLength(1200)
    const putOff = rows().filter(({ made }) => made === 0)
    expect(putOff.length).toBeGreaterThan(500)
    expect(putOff.every(({ state, dueAt = 0 }) => state === 'open' && dueAt > 0)).toBe(true)
  })

  test.for(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL', 'NO_NAME_SERVER'])(
    'that fail by %s, for want of our own means, count as no attempt and no failure of the host',
    async (code) => {
      const reached: unknown[] = []
      const answers: Reply[] = Array.from({ length: 10 }, () => Object.assign(new Error('ours'), { code }))
      const { add, advance, row } = desk({
        answer: () => answers.shift() ?? 200,
        onLimit: (each) => reached.push(each),
      })
      add()
      await advance(120)
      expect(row()).toMatchObject({ state: 'acknowledged', made: 1, lastAnswer: '200' })
      expect(reached).toEqual(Array.from({ length: 10 }, () => ({ limit: 'own-resources' })))
    },
  )
})

test.for([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /^DEPTH_ZERO_SELF_SIGNED_CERT: no authority .* NODE_EXTRA_CA_CERTS/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /incomplete chain, or NODE_EXTRA_CA_CERTS/],
  ['CERT_HAS_EXPIRED', /has expired, or the clock of this machine is wrong$/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /of another host name$/],
] as const)("[F-C8] of a shop's certificate the reason %s is kept, with what it means", ([code, reason]) => {
  expect(noAnswer(Object.assign(new Error('https://shop.example.com/?name=Ann'), { code })).reason).toMatch(reason)
})

test.for([
  [new AddressNotAllowedError('host'), 'address not allowed'],
  [Object.assign(new Error('connect ECONNREFUSED 203.0.113.7:443'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [Object.assign(new Error('https://shop.example.com/?name=Ann'), { code: 'https://shop.example.com' }), 'no answer'],
  [Object.assign(new Error('x'), { code: 23 }), 'no answer'],
  [new Error('https://shop.example.com/cb?name=Ann'), 'no answer'],
  ['https://shop.example.com/cb?name=Ann', 'no answer'],
  [undefined, 'no answer'],
] as const)('of %s the reason is kept, and never the address', ([error, reason]) => {
  expect(noAnswer(error)).toEqual({ reason })
})
