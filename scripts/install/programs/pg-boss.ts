/** A gateway and a shop's journal on one PostgreSQL, both woken by pg-boss. */
import { randomFillSync } from 'node:crypto'
import { createPaymentClient } from '@tallystick/client'
import { createGateway, listen, newVaultKeys, readVaultKeys } from '@tallystick/gateway'
import { postgresStore } from '@tallystick/gateway/postgres'
import { createJournal } from '@tallystick/journal'
import { pgBossNotifier } from '@tallystick/journal/pg-boss'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import { saleInput } from '@tallystick/testing'
import pg from 'pg'

// A database of its own: two gateways with other keys cannot share one.
const { POSTGRES_URL = '' } = process.env
const name = `of_${process.pid}`
const admin = new pg.Client({ connectionString: POSTGRES_URL })
await admin.connect()
await admin.query(`create database ${name}`)
await admin.end()
const connectionString = Object.assign(new URL(POSTGRES_URL), { pathname: `/${name}` }).href
const failures: unknown[] = []
const onError = (error: unknown) => void failures.push(error)
const merchant = { login: 'shop', controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' }

const store = postgresStore({ connectionString, onError })
await store.ready()
const gateway = createGateway({
  publicUrl: 'http://127.0.0.1/paynet',
  merchants: [{ ...merchant, endpoints: [{ id: 253 }] }],
  vaultKeys: readVaultKeys(newVaultKeys((bytes) => void randomFillSync(bytes), 'first').reveal()),
  sandbox: true,
  store,
})
const listener = await listen((request) => gateway.handle(request))
const client = createPaymentClient({ baseUrl: `${listener.origin}/paynet`, endpointId: '253', ...merchant })

let tell = (_status: string): void => {}
const paid = new Promise<string>((resolve) => {
  tell = resolve
})
const journal = createJournal({
  client,
  store: postgresJournalStore({ connectionString }),
  handler: ({ outcome }) => tell(outcome.status),
  onNotice: () => {},
  wakeups: pgBossNotifier({ connectionString, onError }),
})
journal.start()
const { clientOrderId: _, ...sale } = saleInput()
await journal.pay('invoice 77', 'sale', sale)
const status = await paid
await journal.close()
await client.close()
await listener.close()
await gateway.close()
if (status !== 'approved' || failures.length > 0) throw new Error(`the sale is ${status}`, { cause: failures })
