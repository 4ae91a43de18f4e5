import { expect, test } from 'vitest'
import { workerPool } from '../../src/background/worker-pool.ts'

/** Work that ends when the test says so. */
function working(concurrency: number, list: string[]) {
  const ends = new Map<string, (hadEffect: boolean) => void>()
  const begun: string[] = []
  const asked: number[] = []
  let news = 0
  const own = workerPool<string>({
    concurrency,
    take: async (free) => {
      asked.push(free)
      return list.splice(0)
    },
    nameOf: (item) => item,
    work: (item) => {
      begun.push(item)
      return new Promise((resolve) => ends.set(item, resolve))
    },
    onDone: () => void news++,
  })
  const end = async (item: string, hadEffect = true) => {
    ends.get(item)?.(hadEffect)
    await new Promise(setImmediate)
  }
  return { own, end, begun, asked, news: () => news }
}

test('One piece that never ends occupies one hand, and the others are done', async () => {
  const { own, end, begun, news } = working(2, ['stuck', 'a', 'b', 'c'])
  await own.begin()
  expect(begun).toEqual(['stuck', 'a'])
  for (const item of ['a', 'b', 'c']) await end(item)
  expect([begun, news()]).toEqual([['stuck', 'a', 'b', 'c'], 3])
})

test('Nothing is taken while all workers are busy or something waits, and two pieces of one name are done once', async () => {
  const list = ['a', 'a', 'b']
  const { own, end, begun, asked } = working(2, list)
  await own.begin()
  list.push('c')
  await own.begin()
  expect([begun, asked]).toEqual([['a', 'b'], [2]])
  await end('a')
  await own.begin()
  expect([begun, asked]).toEqual([
    ['a', 'b', 'c'],
    [2, 1],
  ])
})

test('Two calls of begin at once do not count on the same free workers', async () => {
  const list = ['a', 'b']
  const { own, begun, asked } = working(2, list)
  await Promise.all([own.begin(), own.begin()])
  expect([begun, asked]).toEqual([['a', 'b'], [2]])
})

test('A failing take is thrown to the caller of begin, and does not prevent the next one', async () => {
  const takings = [Promise.reject(new Error('the database is away')), Promise.resolve(['a'])]
  const begun: string[] = []
  const own = workerPool<string>({
    concurrency: 2,
    take: async () => (await takings.shift()) ?? [],
    nameOf: (item) => item,
    work: async (item) => begun.push(item) > 0,
    onDone: () => {},
  })
  await expect(own.begin()).rejects.toThrow('the database is away')
  await own.begin()
  expect(begun).toEqual(['a'])
})

test('It is finished when there is nothing more to do; a piece without an effect does not count and is not reported', async () => {
  const list = ['a', 'b']
  const { own, end, news } = working(2, list)
  const finished = own.finish()
  await new Promise(setImmediate)
  list.push('c')
  await end('a')
  await end('b', false)
  await end('c')
  expect([await finished, news()]).toEqual([2, 2])
})

test('When it stops, it waits for what was begun and leaves what waits', async () => {
  const { own, end, begun } = working(1, ['a', 'b'])
  await own.begin()
  const stopped = own.stop()
  await end('a')
  await stopped
  expect(begun).toEqual(['a'])
})

test('It is stopped once what was being taken has been done', async () => {
  const taken = Promise.withResolvers<readonly string[]>()
  const done: string[] = []
  const own = workerPool<string>({
    concurrency: 2,
    take: () => taken.promise,
    nameOf: (item) => item,
    work: async (item) => done.push(item) > 0,
    onDone: () => {},
  })
  const begun = own.begin()
  const stopped = own.stop().then(() => [...done])
  await new Promise(setImmediate)
  taken.resolve(['a', 'b'])
  expect(await stopped).toEqual(['a', 'b'])
  await begun
})

test('Calls of begin that come while something is being taken take once more, together', async () => {
  const takings = Array.from({ length: 3 }, () => Promise.withResolvers<readonly string[]>())
  let asked = 0
  const own = workerPool<string>({
    concurrency: 2,
    take: () => takings[asked++]?.promise ?? Promise.resolve([]),
    nameOf: (item) => item,
    work: async () => false,
    onDone: () => {},
  })
  const first = own.begin()
  await new Promise(setImmediate)
  const others = [own.begin(), own.begin(), own.begin()]
  takings[0]?.resolve([])
  takings[1]?.resolve([])
  await Promise.all([first, ...others])
  expect(asked).toBe(2)
})
