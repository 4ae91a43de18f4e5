import { expect, test } from 'vitest'
import { coalesce } from '../../src/runtime/tasks.ts'

/** Work that ends when the test ends it. */
function workOf() {
  const begun: PromiseWithResolvers<number>[] = []
  const work = coalesce(() => {
    const time = Promise.withResolvers<number>()
    begun.push(time)
    return time.promise
  })
  return { begun, work }
}

test('calls during a run share one more run', async () => {
  const { begun, work } = workOf()
  const first = work()
  const later = [work(), work(), work()]
  expect(begun).toHaveLength(1)
  begun[0]?.resolve(1)
  expect(await first).toBe(1)
  await expect.poll(() => begun.length).toBe(2)
  const last = work()
  begun[1]?.resolve(2)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.resolve(3)
  expect(await last).toBe(3)
  void work()
  expect(begun).toHaveLength(4)
})

test('work that fails fails only for those who asked for that run', async () => {
  const { begun, work } = workOf()
  const first = work()
  const later = work()
  begun[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.resolve(2)
  expect(await later).toBe(2)
})
