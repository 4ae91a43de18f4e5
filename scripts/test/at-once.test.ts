import { expect, test } from 'vitest'
import { atOnce, inTurns, type Turn } from '../at-once.ts'

/** What runs together with what, by the order in which each begins and ends. */
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

test('nothing runs beside what is to be alone', async () => {
  const log = await ranTogether([{ name: 'a' }, { name: 'alone', isAlone: true }, { name: 'c' }])
  expect(log).toContain('alone')
  expect(log.filter((line) => line.includes('alone'))).toEqual(['alone'])
})

test('what comes after another waits for its end, and what may begin meanwhile does', async () => {
  const log = await ranTogether([{ name: 'build' }, { name: 'reader', after: ['build'] }, { name: 'other' }])
  expect(log[1]).toBe('build + other')
  expect(log.some((line) => line.includes('build') && line.includes('reader'))).toBe(false)
})

test('what would come after one that does not run is not held up', async () => {
  expect(await ranTogether([{ name: 'reader', after: ['build'] }])).toEqual(['reader'])
})

test('what fails is told, and every item is worked at', async () => {
  const seen: number[] = []
  await atOnce([1, 2, 3, 4, 5], async (item) => void seen.push(item))
  expect(seen).toEqual([1, 2, 3, 4, 5])
  await expect(inTurns([{ name: 'a' }], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
