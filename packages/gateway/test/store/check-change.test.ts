import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGateway, memoryStore, newVaultKeys, readVaultKeys, simulator, virtualClock } from '../../src/index.ts'
import { pooledRandomness } from '../../src/runtime/system.ts'
import { sqliteStore } from '../../src/sqlite.ts'
import { requireSameExponents } from '../../src/store/check-change.ts'
import { folderOf } from '../support/folder.ts'
import { BASE_URL, merchants, sale } from '../support/signed-requests.ts'

const vaultKeys = readVaultKeys(newVaultKeys(pooledRandomness(), 'of-tests').reveal())

/** How a gateway on the file answers a sale, and the errors that it reports. */
async function sold(file: string, exponents: 'always-2' | 'iso-4217') {
  const heard: unknown[] = []
  const gateway = createGateway({
    publicUrl: BASE_URL,
    merchants: merchants(),
    acquirer: simulator(),
    store: sqliteStore({ file }),
    vaultKeys,
    clock: virtualClock(),
    profile: { exponents },
    onError: (error) => void heard.push(error),
  })
  const isReady = await gateway.isReady()
  const { status } = await gateway.handle(sale())
  await gateway.close()
  return { isReady, status, heard }
}

test.for([
  ['always-2', 'iso-4217'],
  ['iso-4217', 'always-2'],
] as const)(
  'a store whose amounts are counted by %s is not gone on with by %s: the money would be other money',
  async (given) => {
    const [exponents, other] = given
    const file = join(folderOf(), 'gateway.db')
    const taken = { isReady: true, status: 200, heard: [] }
    expect(await sold(file, exponents)).toEqual(taken)
    const refused = await sold(file, other)
    expect(refused).toMatchObject({ isReady: false, status: 500 })
    const message = expect.stringContaining(
      `counted with the exponents ${exponents}, and would be others with ${other}`,
    )
    expect(refused.heard[0]).toMatchObject({ code: 'EXPONENTS', message })
    expect(await sold(file, exponents)).toEqual(taken)
  },
)

test('a store in memory accepts any exponents: its amounts end with it', async () => {
  const store = memoryStore()
  await requireSameExponents({ exponents: 'always-2' }, store)
  await expect(requireSameExponents({ exponents: 'iso-4217' }, store)).resolves.toBeUndefined()
})
