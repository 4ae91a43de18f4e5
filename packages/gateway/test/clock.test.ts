import { describe, expect, test } from 'vitest'
import { virtualClock } from '../src/index.ts'

describe('a virtual clock', () => {
  test('stands still, from 2030 on or from where it is told, until it is told to go on', () => {
    expect(virtualClock().now()).toBe(1_893_456_000_000)
    const clock = virtualClock(1000)
    clock.advance(0)
    expect(clock.now()).toBe(1000)
    clock.advance(500)
    expect(clock.now()).toBe(1500)
  })

  test('runs what falls due in the order of time, each at its own time', () => {
    const clock = virtualClock(0)
    const ran: Array<readonly [name: string, at: number]> = []
    const mark = (name: string) => () => void ran.push([name, clock.now()])
    clock.schedule(300, mark('c'))
    clock.schedule(100, mark('a'))
    clock.schedule(200, mark('b'))
    clock.schedule(301, mark('later'))
    clock.advance(300)
    expect(ran).toEqual([
      ['a', 100],
      ['b', 200],
      ['c', 300],
    ])
    clock.advance(1)
    expect(ran.at(-1)).toEqual(['later', 301])
    clock.advance(1000)
    expect(ran).toHaveLength(4)
  })

  test('runs what is due at one time in the order in which it was scheduled', () => {
    const clock = virtualClock(0)
    const ran: number[] = []
    for (const name of [1, 2, 3, 4, 5]) clock.schedule(100, () => void ran.push(name))
    clock.advance(100)
    expect(ran).toEqual([1, 2, 3, 4, 5])
  })

  test('runs what is scheduled on the way when it falls due on the way', () => {
    const clock = virtualClock(0)
    const ran: number[] = []
    const again = () => {
      ran.push(clock.now())
      clock.schedule(100, again)
    }
    clock.schedule(100, again)
    clock.schedule(250, () => clock.schedule(0, () => void ran.push(clock.now() + 0.5)))
    clock.advance(450)
    expect(ran).toEqual([100, 200, 250.5, 300, 400])
    expect(clock.now()).toBe(450)
  })

  test('does not run what was cancelled, also on the way, and cancelling again does nothing', () => {
    const clock = virtualClock(0)
    const ran: string[] = []
    const cancel = clock.schedule(100, () => void ran.push('cancelled'))
    const cancelOther = clock.schedule(300, () => void ran.push('cancelled on the way'))
    clock.schedule(200, () => cancelOther())
    clock.schedule(400, () => void ran.push('kept'))
    cancel()
    cancel()
    clock.advance(1000)
    cancelOther()
    expect(ran).toEqual(['kept'])
  })
})
