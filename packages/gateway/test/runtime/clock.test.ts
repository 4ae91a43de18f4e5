import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../src/index.ts'
import { advancingClock } from '../../src/runtime/clock.ts'

describe('a virtual clock', () => {
  test('stands still, from 2030 on or from where it is told, until it is told to go on', async () => {
    expect(virtualClock().now()).toBe(1_893_456_000_000)
    const clock = virtualClock(1000)
    await clock.advance(0)
    expect(clock.now()).toBe(1000)
    await clock.advance(500)
    expect(clock.now()).toBe(1500)
  })

  test('runs what falls due in the order of time, each at its own time', async () => {
    const clock = virtualClock(0)
    const ran: Array<readonly [name: string, at: number]> = []
    const mark = (name: string) => () => void ran.push([name, clock.now()])
    clock.schedule(300, mark('c'))
    clock.schedule(100, mark('a'))
    clock.schedule(200, mark('b'))
    clock.schedule(301, mark('later'))
    await clock.advance(300)
    expect(ran).toEqual([
      ['a', 100],
      ['b', 200],
      ['c', 300],
    ])
    await clock.advance(1)
    expect(ran.at(-1)).toEqual(['later', 301])
    await clock.advance(1000)
    expect(ran).toHaveLength(4)
  })

  test('runs what is due at one time in the order in which it was scheduled', async () => {
    const clock = virtualClock(0)
    const ran: number[] = []
    for (const name of [1, 2, 3, 4, 5]) clock.schedule(100, () => void ran.push(name))
    await clock.advance(100)
    expect(ran).toEqual([1, 2, 3, 4, 5])
  })

  test('runs what is scheduled on the way when it falls due on the way', async () => {
    const clock = virtualClock(0)
    const ran: number[] = []
    const again = () => {
      ran.push(clock.now())
      clock.schedule(100, again)
    }
    clock.schedule(100, again)
    clock.schedule(250, () => void clock.schedule(0, () => void ran.push(clock.now() + 0.5)))
    await clock.advance(450)
    expect(ran).toEqual([100, 200, 250.5, 300, 400])
    expect(clock.now()).toBe(450)
  })

  test('waits for work that takes time before it goes on, and resolves when all has run', async () => {
    const clock = virtualClock(0)
    const ran: Array<readonly [name: string, at: number]> = []
    clock.schedule(100, async () => {
      await Promise.resolve()
      ran.push(['slow', clock.now()])
      clock.schedule(0, () => void ran.push(['next', clock.now()]))
    })
    clock.schedule(200, () => void ran.push(['late', clock.now()]))
    await clock.advance('300ms')
    expect(ran).toEqual([
      ['slow', 100],
      ['next', 100],
      ['late', 200],
    ])
    expect(clock.now()).toBe(300)
  })

  test('does not run what was cancelled, also on the way, and cancelling again does nothing', async () => {
    const clock = virtualClock(0)
    const ran: string[] = []
    const cancel = clock.schedule(100, () => void ran.push('cancelled'))
    const cancelOther = clock.schedule(300, () => void ran.push('cancelled on the way'))
    clock.schedule(200, () => cancelOther())
    clock.schedule(400, () => void ran.push('kept'))
    cancel()
    cancel()
    await clock.advance(1000)
    cancelOther()
    expect(ran).toEqual(['kept'])
  })
})

describe('a clock that goes by itself and can be told to go on', () => {
  /** The clock below stands for the time that passes by itself. */
  const clocks = () => {
    const below = virtualClock(1000)
    return { below, clock: advancingClock(below) }
  }

  test('tells the time of the one below, and how far it is ahead of it', async () => {
    const { below, clock } = clocks()
    await below.advance(5)
    expect(clock.now()).toBe(1005)
    await clock.advance('1m')
    expect([clock.now(), below.now()]).toEqual([61_005, 1005])
    await below.advance(5)
    expect(clock.now()).toBe(61_010)
  })

  test('runs what is due when the time has come by itself, once', async () => {
    const { below, clock } = clocks()
    const ran: number[] = []
    clock.schedule(100, () => void ran.push(clock.now()))
    await below.advance(99)
    expect(ran).toEqual([])
    await below.advance(1)
    await clock.advance(1000)
    expect(ran).toEqual([1100])
  })

  test('runs what falls due on the way in its order, each at its own time and to its end, and once', async () => {
    const { below, clock } = clocks()
    const ran: Array<readonly [name: string, at: number]> = []
    const mark = (name: string) => () => void ran.push([name, clock.now()])
    clock.schedule(200, mark('late'))
    clock.schedule(100, async () => {
      await Promise.resolve()
      mark('early')()
      clock.schedule(50, mark('on the way'))
    })
    await clock.advance(250)
    expect(ran).toEqual([
      ['early', 1100],
      ['on the way', 1150],
      ['late', 1200],
    ])
    expect(clock.now()).toBe(1250)
    await below.advance(1000)
    expect(ran).toHaveLength(3)
  })

  test('waits before it goes on for what goes off by itself while it waits', async () => {
    const { below, clock } = clocks()
    const ended: number[] = []
    clock.schedule(100, () => {
      clock.schedule(10, async () => {
        await new Promise(setImmediate)
        ended.push(clock.now())
      })
      void below.advance(20)
    })
    await clock.advance(60_000)
    expect(ended).toEqual([1110])
    expect(clock.now()).toBe(61_000)
  })

  test('is told to go on anew while it waits for what went off by itself, and goes on', async () => {
    const { below, clock } = clocks()
    const slept = Promise.withResolvers<number>()
    const sleep = () => new Promise<void>((resolve) => void clock.schedule(1000, resolve))
    clock.schedule(100, () => {
      clock.schedule(10, async () => {
        await sleep()
        slept.resolve(clock.now())
      })
      void below.advance(20)
    })
    const first = clock.advance(500)
    await new Promise(setImmediate)
    await clock.advance(1000)
    expect(await slept.promise).toBe(2110)
    await first
  })

  test('does not go back where work on the way takes longer than it was told to go on', async () => {
    const { below, clock } = clocks()
    clock.schedule(10, () => below.advance(500))
    await clock.advance(20)
    expect(clock.now()).toBe(1510)
  })

  test('has what is due later come so much the sooner', async () => {
    const { below, clock } = clocks()
    const ran: number[] = []
    clock.schedule(100, () => void ran.push(below.now()))
    await clock.advance(60)
    await below.advance(39)
    expect(ran).toEqual([])
    await below.advance(1)
    expect(ran).toEqual([1040])
  })

  test('runs nothing that was cancelled, before or on the way', async () => {
    const { below, clock } = clocks()
    const ran: string[] = []
    clock.schedule(10, () => void ran.push('one'))()
    const cancel = clock.schedule(30, () => void ran.push('two'))
    clock.schedule(20, cancel)
    await clock.advance(15)
    await clock.advance(15)
    await below.advance(100)
    cancel()
    expect(ran).toEqual([])
  })
})

describe('a duration', () => {
  test.for([
    ['250ms', 250],
    ['30s', 30_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['14d', 1_209_600_000],
    ['2w', 1_209_600_000],
    [1500, 1500],
    [0, 0],
  ] as const)('of %s is %i milliseconds', async ([duration, expected]) => {
    const clock = virtualClock(0)
    await clock.advance(duration)
    expect(clock.now()).toBe(expected)
  })

  test.for([-1, Number.NaN, '1.5h', '-1s', '10', 's', '1 h', '1y', ''])('is not %s', async (duration) => {
    await expect(virtualClock().advance(duration as never)).rejects.toThrow(
      `A duration must be milliseconds from 0 on, or like 30s, 15m, 24h, 14d; it is ${duration}`,
    )
  })
})
