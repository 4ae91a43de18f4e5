import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryStore, readVaultKeys } from '../../src/index.ts'
import { sqliteStore } from '../../src/sqlite.ts'
import { keyChecksOf, requireSameKeys } from '../../src/store/key-checks.ts'
import type { Store } from '../../src/store/store.ts'
import { folderOf } from '../support/folder.ts'
import { card, NOW } from './changes.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

/** A key that repeats one byte, by which tests can tell keys apart. */
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

/** Keys made of these bytes. The first wrapping key is the current one. */
function keysOf(wrapping: Readonly<Record<string, number>>, fingerprint = 255) {
  const keys = Object.entries(wrapping).map(([id, byte]) => [id, key(byte)])
  const file = { current: keys[0]?.[0], wrapping: Object.fromEntries(keys), fingerprint: key(fingerprint) }
  return readVaultKeys(JSON.stringify(file))
}

let database: PostgresDatabase
beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

const STORES: Readonly<Record<string, () => Promise<Store>>> = {
  PostgreSQL: () => database.node(database.newSchema()),
  SQLite: async () => sqliteStore({ file: join(folderOf(), 'gateway.db') }),
}

describe.for(Object.entries(STORES))('in %s, keys of the vault', ([, open]) => {
  async function opened(): Promise<Store> {
    const store = await open()
    await requireSameKeys(keysOf({ 'key-1': 1 }), store)
    return store
  }
  const noted = async (store: Store) => (await store.keyFingerprints?.note([]))?.map(({ name }) => name)

  test('are noted by the first process, and accepted from the next if they are the same', async () => {
    const store = await opened()
    await requireSameKeys(keysOf({ 'key-1': 1 }), store)
    expect(await noted(store)).toEqual(['fingerprint', 'wrapping.key-1'])
    await store.close()
  })

  test('are refused if one differs under its id, and none of them is noted', async () => {
    const store = await opened()
    await expect(requireSameKeys(keysOf({ 'key-3': 3, 'key-1': 2 }), store)).rejects.toMatchObject({
      code: 'KEYS',
      message: expect.stringMatching(/^The vault key wrapping\.key-1 is not .* key file of the other gateways/),
    })
    expect(await noted(store)).toEqual(['fingerprint', 'wrapping.key-1'])
    await store.close()
  })

  test('are refused with another fingerprint key: the same card would become another one', async () => {
    const store = await opened()
    await expect(requireSameKeys(keysOf({ 'key-1': 1 }, 254), store)).rejects.toThrow(
      'The vault key fingerprint is not',
    )
    await store.close()
  })

  test('may be added process by process, until a card is under the new one', async () => {
    const store = await opened()
    await requireSameKeys(keysOf({ 'key-2': 2, 'key-1': 1 }), store)
    await requireSameKeys(keysOf({ 'key-1': 1 }), store)
    await store.commit({ cards: [card('card-1', { keyId: 'key-2' })] }, NOW)
    await expect(requireSameKeys(keysOf({ 'key-1': 1 }), store)).rejects.toMatchObject({
      code: 'KEYS',
      message: expect.stringContaining('under the vault key wrapping.key-2, which is missing'),
    })
    await store.close()
  })

  test('may be removed once no card is under them', async () => {
    const store = await opened()
    const before = card('card-1', { keyId: 'key-1' })
    await store.commit({ cards: [before] }, NOW)
    await requireSameKeys(keysOf({ 'key-2': 2, 'key-1': 1 }), store)
    await expect(requireSameKeys(keysOf({ 'key-2': 2 }), store)).rejects.toThrow('wrapping.key-1, which is missing')
    await store.rewrapCard({ ...before, keyId: 'key-2', wrappedKey: Uint8Array.of(2) }, before)
    await requireSameKeys(keysOf({ 'key-2': 2 }), store)
    await store.close()
  })

  test('of processes that start at once with different ones are noted for only one of them', async () => {
    const store = await open()
    const started = await Promise.allSettled([1, 2, 3, 4].map((byte) => requireSameKeys(keysOf({ k: byte }), store)))
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await store.close()
  })

  test('stay noted after a reset: the processes still have them', async () => {
    const store = await opened()
    await store.reset()
    expect(await noted(store)).toEqual(['fingerprint', 'wrapping.key-1'])
    await store.close()
  })
})

test('a store in memory accepts any keys: its cards end with it', async () => {
  const store = memoryStore()
  await requireSameKeys(keysOf({ 'key-1': 1 }), store)
  await expect(requireSameKeys(keysOf({ 'key-1': 2 }), store)).resolves.toBeUndefined()
})

// openssl kdf -keylen 16 -kdfopt digest:SHA256 -kdfopt hexkey:$(printf '01%.0s' $(seq 32)) \
//   -kdfopt info:'tallystick key check' HKDF
test('the check of a key is 16 bytes, derived from it for this purpose alone, as RFC 5869 says', () => {
  const [, check] = keyChecksOf(keysOf({ 'key-1': 1 }))
  expect(check).toEqual({ name: 'wrapping.key-1', value: '5d400e8808a0f1075d3a9667529166f8' })
})
