import { expect, test } from 'vitest'
import { mutex } from '../src/mutex.ts'

test('Work waits for all before it, also for what fails, and its caller is told how it ended', async () => {
  const exclusively = mutex()
  const log: string[] = []
  const first = Promise.withResolvers<void>()
  const works = [
    exclusively(async () => {
      await first.promise
      log.push('first')
      return 1
    }),
    exclusively(async () => {
      log.push('second')
      throw new Error('second fails')
    }),
    exclusively(async () => {
      log.push('third')
      return 3
    }),
  ]
  const ended = Promise.allSettled(works)
  await Promise.resolve()
  expect(log).toEqual([])
  first.resolve()
  expect((await ended).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(log).toEqual(['first', 'second', 'third'])
  expect(await works[2]).toBe(3)
})
