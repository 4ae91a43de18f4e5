import { expect, test } from 'vitest'
import { atOnce, inTurns, type Turn } from '../at-once.ts'

/** Which items run at the same time, by the order in which each begins and ends. */
async function ranTogether(turns: readonly Turn[]): Promise<readonly string[]> {
  const log: string[] = []
  const running = new Set<string>()
  await inTurns(turns, async ({ name }) => {
    running.add(name)
    log.push([...running].join(' + '))
    await Promise.resolve()
    await new Promise(setImmediate)
    running.delete(name)
  })
  return log
}

test('two run at a time, in their order', async () => {
  const log = await ranTogether([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  expect(log.slice(0, 2)).toEqual(['a', 'a + b'])
  expect(log[2]).toMatch(/^(?:b \+ )?c$/)
})

test('nothing runs at the same time as an item that must be alone', async () => {
  const log = await ranTogether([{ name: 'a' }, { name: 'alone', isAlone: true }, { name: 'c' }])
  expect(log).toContain('alone')
  expect(log.filter((line) => line.includes('alone'))).toEqual(['alone'])
})

test('every item is processed, in order', async () => {
  const seen: number[] = []
  await atOnce([1, 2, 3, 4, 5], async (item) => void seen.push(item))
  expect(seen).toEqual([1, 2, 3, 4, 5])
})

test('a failure stops none of the others, and the first error is thrown at the end', async () => {
  const seen: string[] = []
  const turns = inTurns([{ name: 'a' }, { name: 'b' }, { name: 'c' }], async ({ name }) => {
    seen.push(name)
    if (name === 'b') throw new Error('no')
  })
  await expect(turns).rejects.toThrow('no')
  expect(seen).toEqual(['a', 'b', 'c'])
})

test('two that fail in the same turn are one error, the first', async () => {
  const turns = inTurns([{ name: 'a' }, { name: 'b' }], ({ name }) => Promise.reject(new Error(name)))
  await expect(turns).rejects.toThrow('a')
})
