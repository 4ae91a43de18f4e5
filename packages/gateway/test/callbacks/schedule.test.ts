import { describe, expect, test } from 'vitest'
import { background } from '../../src/background.ts'
import { deliveries } from '../../src/callbacks/deliveries.ts'
import { nextWait } from '../../src/callbacks/schedule.ts'
import { virtualClock } from '../../src/index.ts'
import { sale, testGateway } from '../support/signed-requests.ts'

const DAY = 86_400
const FORTNIGHT = 14 * DAY

/** Part 13 of the gaps: 5, 15, 30 s; 1, 2, 5, 10, 15, 30 min; 1, 2, 3, 4, 6, 8, 12, 12 h; then every 24 h. */
const WAITS = [
  [5, 15, 30],
  [60, 120, 300, 600, 900, 1800],
  [3600, 7200, 10_800, 14_400, 21_600, 28_800, 43_200, 43_200],
  [DAY, DAY, DAY, DAY, DAY, DAY, DAY, DAY, DAY, DAY, DAY],
].flat()

/** 50 s, 63 min, 48 h and 11 days after the first attempt there are 82570 s left of the fourteen days. */
const LAST_WAIT = 82_570

/** Deliveries to a shop that answers what it is told to, on a clock that stands still. */
function shop(answer: () => number | Error, fraction = 0.5) {
  const clock = virtualClock(0)
  const work = background((error) => {
    throw error
  })
  const calledAt: number[] = []
  const send = async () => {
    calledAt.push(clock.now() / 1000)
    const status = answer()
    if (typeof status === 'number') return status
    throw status
  }
  const calls = deliveries({ send, clock, background: work, fraction: () => fraction })
  const advance = async (seconds: number) => {
    clock.advance(seconds * 1000)
    await work.settled()
  }
  return { calls, clock, calledAt, settled: work.settled, advance }
}

/** The times of all attempts at a shop that never answers, in seconds after the first. */
function attemptsOf(fraction: number): readonly number[] {
  const times = [0]
  for (let last = 0; ; ) {
    const wait = nextWait({ made: times.length, elapsedMs: last * 1000, fraction })
    if (wait === undefined) return times
    last += wait / 1000
    times.push(last)
  }
}

/** A shop that fails, and what it was called by. */
const refusing = (calls: string[]) => async (url: string) => {
  calls.push(url)
  return 500
}

describe('the schedule of callbacks', () => {
  test('[G13-03] has the documented waits, the last one cut to fourteen days', async () => {
    const { calls, calledAt, settled, advance } = shop(() => 500)
    calls.deliver('https://shop.example.com')
    await settled()
    expect(calledAt).toEqual([0])
    let now = 0
    for (const [at, wait] of [...WAITS, LAST_WAIT].entries()) {
      await advance(wait - 0.001)
      expect(calledAt).toHaveLength(at + 1)
      await advance(0.001)
      now += wait
      expect(calledAt).toHaveLength(at + 2)
      expect(calledAt.at(-1)).toBeCloseTo(now, 1)
    }
    expect([calledAt.length, Math.round(now)]).toEqual([30, FORTNIGHT])
    await advance(10 * FORTNIGHT)
    expect(calledAt).toHaveLength(30)
  })

  test.for([
    [0, 30],
    [0.25, 30],
    [0.5, 30],
    [0.75, 29],
    [1, 28],
  ] as const)(
    '[G13-03] with the jitter at %d makes %i attempts, none later than fourteen days',
    ([fraction, expected]) => {
      const attempts = attemptsOf(fraction)
      expect(attempts).toHaveLength(expected)
      expect(attempts.at(-1)).toBeLessThanOrEqual(FORTNIGHT)
    },
  )

  test('[G13-03] jitter moves a wait by 20 % at most, either side', () => {
    const first = (fraction: number) => nextWait({ made: 1, elapsedMs: 0, fraction })
    expect([first(0), first(0.5), first(1)].map((ms) => Math.round(ms ?? 0))).toEqual([4000, 5000, 6000])
    for (const [at, wait] of WAITS.entries()) {
      for (const fraction of [0, 0.1, 0.37, 0.5, 0.99, 1]) {
        const ms = nextWait({ made: at + 1, elapsedMs: 0, fraction }) ?? 0
        expect(Math.abs(ms - wait * 1000)).toBeLessThanOrEqual(wait * 200 + 0.001)
      }
    }
  })

  test('[G13-03] the gateway itself jitters: its first waits differ, and all are within 20 % of 5 s', async () => {
    const calls: string[] = []
    const { gateway, clock } = testGateway({ sendCallback: refusing(calls) })
    for (let at = 0; at < 20; at++) {
      await gateway.handle(sale({ client_orderid: `inv-${at}`, server_callback_url: 'https://shop.example.com' }))
    }
    await gateway.settled()
    const seen: number[] = [calls.length]
    for (const ms of [3999, 501, 500, 500, 501]) {
      clock.advance(ms)
      await gateway.settled()
      seen.push(calls.length)
    }
    expect([seen[0], seen[1], seen[5]]).toEqual([20, 20, 40])
    expect(new Set(seen.slice(1)).size).toBeGreaterThan(2)
  })
})

describe('the answer of the shop', () => {
  test.for([200, 410])('[G6-03] %i ends the attempts', async (status) => {
    const { calls, calledAt, settled, advance } = shop(() => status)
    calls.deliver('https://shop.example.com')
    await settled()
    await advance(2 * FORTNIGHT)
    expect(calledAt).toEqual([0])
  })

  test.for([201, 202, 204, 301, 302, 400, 401, 404, 429, 500, 503])('[G6-03] %i does not', async (status) => {
    const { calls, calledAt, settled, advance } = shop(() => status)
    calls.deliver('https://shop.example.com')
    await settled()
    await advance(5)
    expect(calledAt).toEqual([0, 5])
  })

  test('[G6-03] no answer does not, and the first 200 does', async () => {
    const answers: Array<number | Error> = [new Error('ECONNREFUSED'), 503, new Error('ETIMEDOUT'), 200]
    const { calls, calledAt, settled, advance } = shop(() => answers.shift() ?? 500)
    calls.deliver('https://shop.example.com')
    await settled()
    for (const wait of [5, 15, 30, DAY, DAY]) await advance(wait)
    expect(calledAt).toEqual([0, 5, 20, 50])
  })

  test('a sender that throws before it gives a promise is an attempt like another', async () => {
    let attempts = 0
    const { gateway, clock, heard } = testGateway({
      sendCallback: () => {
        attempts++
        throw new Error('no socket')
      },
    })
    await gateway.handle(sale({ server_callback_url: 'https://shop.example.com' }))
    await gateway.settled()
    clock.advance(6000)
    await gateway.settled()
    expect([attempts, heard]).toEqual([2, []])
  })
})

describe('stopping', () => {
  test('gives up every delivery that waits', async () => {
    const { calls, calledAt, settled, advance } = shop(() => 500)
    for (let shops = 0; shops < 3; shops++) calls.deliver('https://shop.example.com')
    await settled()
    calls.stop()
    await advance(FORTNIGHT)
    expect(calledAt).toEqual([0, 0, 0])
  })

  test('a gateway that is closed calls no more', async () => {
    const calls: string[] = []
    const { gateway, clock } = testGateway({ sendCallback: refusing(calls) })
    await gateway.handle(sale({ server_callback_url: 'https://shop.example.com' }))
    await gateway.close()
    clock.advance(FORTNIGHT * 1000)
    await gateway.settled()
    expect(calls).toHaveLength(1)
  })
})
