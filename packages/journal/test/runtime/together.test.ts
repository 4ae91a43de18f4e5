import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Shared, together } from '../../src/runtime/concurrency.ts'

interface Write {
  readonly items: readonly string[]
  readonly how: Shared
  end(): void
  fail(reason: Error): void
}

/** A database whose writes end when the test says so. */
function database(isLocked: (error: unknown) => boolean = () => false) {
  const writes: Write[] = []
  const add = together<string, string>({
    nameOf: (item) => item.slice(0, 1),
    write: (items, how) =>
      new Promise((resolve, reject) => {
        writes.push({ items, how, end: () => resolve(items.map((item) => `${item}!`)), fail: reject })
      }),
    isLocked,
  })
  return { writes, add, items: () => writes.map(({ items }) => items.join(' ')) }
}

/** What was caused by now has happened. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

const LIMITED = { isLimited: true, isAgain: false }
const ALONE = { isLimited: false, isAgain: true }

describe('Items of many callers', () => {
  test('that come in one turn are written together, and each caller gets its own result', async () => {
    const { writes, add } = database()
    const written = Promise.all([add('a'), add('b')])
    await turn()
    expect(writes).toMatchObject([{ items: ['a', 'b'], how: LIMITED }])
    writes[0]?.end()
    expect(await written).toEqual(['a!', 'b!'])
  })

  test('that come while others are written share the next write', async () => {
    const { writes, add, items } = database()
    const all = [add('a')]
    await turn()
    all.push(add('b'), add('c'))
    await turn()
    expect(items()).toEqual(['a'])
    writes[0]?.end()
    await turn()
    expect(items()).toEqual(['a', 'b c'])
    writes[1]?.end()
    expect(await Promise.all(all)).toEqual(['a!', 'b!', 'c!'])
  })

  test('with one name are written one after the other', async () => {
    const { writes, add, items } = database()
    const all = Promise.all([add('a1'), add('a2'), add('b')])
    await turn()
    writes[0]?.end()
    await turn()
    writes[1]?.end()
    expect(items()).toEqual(['a1 b', 'a2'])
    expect(await all).toEqual(['a1!', 'a2!', 'b!'])
  })

  test('are each written alone if they fail together, and held up by none of the others', async () => {
    const { writes, add } = database()
    const [one, other] = [add('a'), add('b')]
    await turn()
    writes[0]?.fail(new Error('lost'))
    await turn()
    expect(writes.slice(1)).toMatchObject([
      { items: ['a'], how: ALONE },
      { items: ['b'], how: ALONE },
    ])
    const next = add('c')
    await turn()
    writes[3]?.end()
    expect(await next).toBe('c!')
    writes[1]?.fail(new Error('a is wrong'))
    writes[2]?.end()
    await expect(one).rejects.toThrow('a is wrong')
    expect(await other).toBe('b!')
  })

  test('fail at once if there is one, unless it would have had to wait: then it waits alone', async () => {
    const { writes, add } = database((error) => String(error).includes('locked'))
    const failed = add('a')
    await turn()
    writes[0]?.fail(new Error('wrong'))
    await expect(failed).rejects.toThrow('wrong')
    const waits = add('b')
    await turn()
    writes[1]?.fail(new Error('locked'))
    await turn()
    expect(writes[2]).toMatchObject({ items: ['b'], how: ALONE })
    writes[2]?.end()
    expect(await waits).toBe('b!')
  })

  test('do not wait behind a write of which nothing is heard', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { writes, add, items } = database()
    const silent = add('a')
    await turn()
    const next = add('b')
    await vi.advanceTimersByTimeAsync(999)
    expect(items()).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(1)
    expect(items()).toEqual(['a', 'b'])
    writes[1]?.end()
    expect(await next).toBe('b!')
    writes[0]?.end()
    expect(await silent).toBe('a!')
  })

  test('are written in the context of no caller', async () => {
    const context = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const add = context.run('maker', () =>
      together<string, string>({
        write: async (items) => {
          seen.push(context.getStore())
          return items
        },
      }),
    )
    await context.run('caller', () => add('a'))
    expect(seen).toEqual(['maker'])
  })
})
