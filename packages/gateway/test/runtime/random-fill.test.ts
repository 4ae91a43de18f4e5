import { describe, expect, test } from 'vitest'
import { pooledRandomness } from '../../src/runtime/system.ts'

/** Draws 1, 2, 3... and keeps the pages that were drawn into. */
function countingDraw() {
  const pages: Uint8Array[] = []
  let next = 0
  const draw = (target: Uint8Array) => {
    pages.push(target)
    target.forEach((_, at) => {
      next = (next % 255) + 1
      target[at] = next
    })
  }
  return { draw, pages }
}

function take(random: (target: Uint8Array) => void, length: number): Uint8Array {
  const target = new Uint8Array(length)
  random(target)
  return target
}

describe('pooledRandomness', () => {
  test('draws a page at a time, and gives out no byte of it twice', () => {
    const { draw, pages } = countingDraw()
    const random = pooledRandomness(draw)
    expect([...take(random, 3), ...take(random, 2), ...take(random, 0)]).toEqual([1, 2, 3, 4, 5])
    expect(pages).toHaveLength(1)
    take(random, 4090)
    expect(pages).toHaveLength(1)
    take(random, 2)
    expect(pages).toHaveLength(2)
  })

  test('wipes what it gave out', () => {
    const { draw, pages } = countingDraw()
    const random = pooledRandomness(draw)
    take(random, 32)
    expect([...(pages[0] ?? [])].slice(0, 34)).toEqual([...Array<number>(32).fill(0), 33, 34])
  })

  test('fills a target larger than a page at once', () => {
    const { draw, pages } = countingDraw()
    const target = take(pooledRandomness(draw), 5000)
    expect(pages).toEqual([target])
  })

  test("gives the system's randomness by default", () => {
    const random = pooledRandomness()
    const drawn = Array.from({ length: 2000 }, () => Buffer.from(take(random, 12)).toString('hex'))
    expect(new Set(drawn).size).toBe(2000)
    expect(drawn).not.toContain('00'.repeat(12))
  })
})
