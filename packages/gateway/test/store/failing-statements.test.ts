import { copyFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type FailingDatabase, failingDatabase, from, once } from '../support/failing-database.ts'
import { NOW, nonce, opening, order } from './changes.ts'
import { BEFORE, commit, UNIVERSE, WRITES, type Write } from './every-write.ts'
import { sqliteFile } from './sqlite-file.ts'
import { viewOf } from './view.ts'

const template = sqliteFile()

beforeAll(async () => {
  const store = sqliteStore({ file: template.file })
  for (const change of BEFORE) await store.commit(change, NOW)
  await store.close()
})

afterAll(() => template.remove())

describe.for(Object.entries(WRITES))('with any statement failing, %s', ([, write]) => {
  let folder: ReturnType<typeof sqliteFile>
  let disk: FailingDatabase
  let store: Store

  beforeEach(() => {
    folder = sqliteFile()
    disk = failingDatabase()
  })

  afterEach(() => {
    disk.crash()
    folder.remove()
  })

  /** Opens the file as it was before the write. */
  async function fresh(): Promise<void> {
    disk.fail()
    disk.crash()
    copyFileSync(template.file, folder.file)
    store = sqliteStore({ file: folder.file, open: disk.open })
  }

  async function reopened(): Promise<unknown> {
    disk.fail()
    disk.crash()
    store = sqliteStore({ file: folder.file, open: disk.open })
    return await seen()
  }

  const seen = () => viewOf(store, UNIVERSE)

  /** What is stored before and after the writes, and how many statements lie between. */
  async function views(writes: readonly Write[]) {
    await fresh()
    const before = await seen()
    disk.fail()
    await Promise.all(writes.map((each) => each(store)))
    const statements = disk.executed()
    return { before, after: await seen(), statements }
  }

  test('alone: is written whole and acknowledged, or not at all', async () => {
    const { before, after, statements } = await views([write])
    expect(statements).toBeGreaterThan(2)
    await fresh()
    for (let n = 1; n <= statements; n++) {
      disk.fail(once(n))
      await expect(write(store)).rejects.toThrow('planned')
      disk.fail()
      expect(await seen()).toEqual(before)
    }
    expect(await reopened()).toEqual(before)
    await write(store)
    expect(await seen()).toEqual(after)
    expect(await reopened()).toEqual(after)
  })

  const [first, last] = [8, 9].map((digits) => commit({ ...opening(order(digits)), nonce: nonce(`${digits}`) }))
  const batch = [first, write, last].filter((each) => each !== undefined)

  test('among others: a temporary failure harms nobody', async () => {
    const { after, statements } = await views(batch)
    for (let n = 1; n <= statements; n++) {
      await fresh()
      disk.fail(once(n))
      const results = await Promise.allSettled(batch.map((each) => each(store)))
      const isAlone = results.filter(({ status }) => status === 'rejected').length
      // Before a claim joins the batch, it checks on its own whether anything is due, and that may fail.
      if (isAlone > 0) await write(store)
      expect(isAlone).toBeLessThan(2)
      expect(await seen()).toEqual(after)
    }
    expect(await reopened()).toEqual(after)
  })

  test('among others: a disk that fails keeps all that was acknowledged, and nothing in part', async () => {
    const { before, after, statements } = await views(batch)
    await fresh()
    for (let n = 1; n <= statements; n++) {
      disk.fail(from(n))
      const results = await Promise.allSettled(batch.map((each) => each(store)))
      expect(results.every(({ status }) => status === 'rejected')).toBe(true)
      expect(await reopened()).toEqual(before)
    }
    await Promise.all(batch.map((each) => each(store)))
    expect(await reopened()).toEqual(after)
  })
})

describe('with any statement failing', () => {
  test('a start reports it, leaves nothing in part, and can be repeated', async () => {
    const folder = sqliteFile()
    const disk = failingDatabase()
    await sqliteStore({ file: folder.file, open: disk.open }).close()
    const statements = disk.executed()
    for (const fault of [once, from]) {
      for (let n = 1; n <= statements; n++) {
        folder.remove()
        Object.assign(folder, sqliteFile())
        disk.fail(fault(n))
        expect(() => sqliteStore({ file: folder.file, open: disk.open })).toThrow(Error)
        disk.fail()
        const store = sqliteStore({ file: folder.file, open: disk.open })
        expect(await store.commit(opening(order(1)), NOW)).toEqual({ ok: true })
        await store.close()
      }
    }
    folder.remove()
  })

  test('one change that always fails does not make its neighbours fail', async () => {
    const folder = sqliteFile()
    const disk = failingDatabase()
    const store = sqliteStore({ file: folder.file, open: disk.open })
    disk.fail(({ values }) => values.includes(order(3).orderId))
    const results = await Promise.allSettled([2, 3, 4].map((digits) => store.commit(opening(order(digits)), NOW)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    disk.fail()
    expect(await Promise.all([2, 3, 4].map((digits) => store.orderById(order(digits).orderId)))).toEqual([
      order(2),
      undefined,
      order(4),
    ])
    await store.close()
    folder.remove()
  })

  test('a transaction that can neither be committed nor rolled back makes the store unusable', async () => {
    const folder = sqliteFile()
    const disk = failingDatabase()
    const store = sqliteStore({ file: folder.file, open: disk.open })
    disk.fail(({ sql }) => sql === 'COMMIT' || sql === 'ROLLBACK')
    await expect(store.commit(opening(order(1)), NOW)).rejects.toThrow('planned')
    disk.fail()
    await expect(store.commit(opening(order(2)), NOW)).rejects.toThrow('is no longer usable')
    expect(await store.isReady()).toBe(false)
    disk.crash()
    const again = sqliteStore({ file: folder.file })
    expect(await again.orderById(order(1).orderId)).toBeUndefined()
    await again.close()
    folder.remove()
  })

  test('a store whose disk is full is not ready, and is again when there is room', async () => {
    const folder = sqliteFile()
    const disk = failingDatabase()
    const store = sqliteStore({ file: folder.file, open: disk.open })
    disk.fail(({ sql }) => sql === 'COMMIT')
    expect(await store.isReady()).toBe(false)
    disk.fail()
    expect(await store.isReady()).toBe(true)
    await store.close()
    folder.remove()
  })
})
