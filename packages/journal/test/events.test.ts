import { expect, onTestFinished, test } from 'vitest'
import { quietly } from '../src/events.ts'

test.for([
  ['is async, and throws', () => Promise.reject(new Error('the mail server is away'))],
  [
    'throws at once',
    () => {
      throw new Error('the mail server is away')
    },
  ],
] as const)('a listener that %s breaks no payment, and ends no process', async ([, listener]) => {
  const unhandled: unknown[] = []
  const hear = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', hear)
  onTestFinished(() => void process.off('unhandledRejection', hear))
  quietly(listener as () => void)({ type: 'INBOX_FULL' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
})
