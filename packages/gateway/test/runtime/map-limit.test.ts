import { expect, test } from 'vitest'
import { mapLimit } from '../../src/runtime/tasks.ts'

test('work is done for every item, a limited number at a time, and begun in their order', async () => {
  const begun: number[] = []
  let atOnce = 0
  let most = 0
  const items = Array.from({ length: 20 }, (_, at) => at)
  await mapLimit(3, items, async (item) => {
    begun.push(item)
    most = Math.max(most, ++atOnce)
    await Promise.resolve()
    atOnce--
  })
  expect([begun, most]).toEqual([items, 3])
})

test('nothing is no work', async () => {
  await expect(mapLimit(3, [], () => Promise.reject(new Error('work')))).resolves.toBeUndefined()
})
