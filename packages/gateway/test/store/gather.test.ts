import { expect, test } from 'vitest'
import { gather } from '../../src/store/postgres/gather.ts'
import { StoreError } from '../../src/store/store-error.ts'

/** A question about texts, and how it was asked. Those with a `!` make it fail. */
function question(failure: Error = new Error('refused')) {
  const asked: (readonly string[])[] = []
  const waiting: (() => void)[] = []
  const ask = gather<string, string>({
    ask: async (keys) => {
      asked.push(keys)
      if (keys.some((key) => key.includes('!'))) throw failure
      return (key) => key.toUpperCase()
    },
    nameOf: (key) => key,
    soon: (work) => void waiting.push(work),
  })
  const turn = () => {
    for (const work of waiting.splice(0)) work()
  }
  return { ask, asked, turn }
}

test('what is asked in one turn is one question, and what is equal is asked once', async () => {
  const { ask, asked, turn } = question()
  const answers = Promise.all([ask('a'), ask('b'), ask('a')])
  turn()
  expect(await answers).toEqual(['A', 'B', 'A'])
  const later = ask('a')
  turn()
  expect(await later).toBe('A')
  expect(asked).toEqual([['a', 'b'], ['a']])
})

test('a question that the server refuses fails for none but who asked for that', async () => {
  const { ask, turn } = question()
  const answers = Promise.allSettled([ask('a'), ask('!'), ask('b')])
  turn()
  expect(await answers).toEqual([
    { status: 'fulfilled', value: 'A' },
    { status: 'rejected', reason: new Error('refused') },
    { status: 'fulfilled', value: 'B' },
  ])
})

test('a server that is away is not asked again for each', async () => {
  const away = new StoreError('UNREACHABLE', 'away')
  const { ask, asked, turn } = question(away)
  const answers = Promise.allSettled([ask('a'), ask('!')])
  turn()
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(asked).toEqual([['a', '!']])
})
