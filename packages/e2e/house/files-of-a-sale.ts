/** Prints how many files of our packages a sale enters, from the journal to the gateway's SQLite store and back, as V8 counts it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPaymentClient } from '@tallystick/client'
import { newVaultKeys, readVaultKeys } from '@tallystick/gateway'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { createJournal, sqliteJournalStore } from '@tallystick/journal'
import { saleInput, startGateway } from '@tallystick/testing'

const folder = mkdtempSync(join(tmpdir(), 'tallystick-house-'))
const gateway = await startGateway({
  store: sqliteStore({ file: join(folder, 'gateway.db') }),
  vaultKeys: readVaultKeys(newVaultKeys((bytes) => void crypto.getRandomValues(bytes), 'first').reveal()),
})
const { baseUrl, login, controlKey, endpointId } = gateway.merchant
const client = createPaymentClient({ baseUrl, login, controlKey, endpointId })
const journal = createJournal({
  client,
  store: sqliteJournalStore({ file: join(folder, 'journal.db') }),
  handler: () => {},
  onNotice: 'ignore',
})
const { clientOrderId: _made, ...sale } = saleInput()
await journal.pay('warm up', 'sale', sale)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await journal.pay('counted', 'sale', sale)
await gateway.settled()
await journal.settled()
const { result } = await session.post('Profiler.takePreciseCoverage')
const entered = result.filter(
  ({ url, functions }) =>
    /\/packages\/(client|core|signing|journal|gateway)\/src\//.test(url) &&
    functions.some(({ functionName, ranges: [range] }) => functionName !== '' && (range?.count ?? 0) > 0),
)
process.stdout.write(`${new Set(entered.map(({ url }) => url)).size}\n`)

await journal.close()
await gateway.close()
rmSync(folder, { recursive: true, force: true })
