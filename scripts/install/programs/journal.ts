import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPaymentClient } from '@tallystick/client'
import { createJournal, sqliteJournalStore } from '@tallystick/journal'

const client = createPaymentClient({
  baseUrl: 'https://gateway.example.com/paynet',
  login: 'shop',
  controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20',
  endpointId: '253',
})
const file = join(mkdtempSync(join(tmpdir(), 'shop-')), 'shop.db')
const journal = createJournal({ client, store: sqliteJournalStore({ file }) })
const { open, unknown } = await journal.report()
await journal.close()
await client.close()
if (open.length + unknown.length > 0) throw new Error('a new journal knows of payments')
