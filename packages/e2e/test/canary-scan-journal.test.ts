import diagnostics from 'node:diagnostics_channel'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { DIAGNOSTICS } from '@tallystick/client'
import { sqliteJournalStore } from '@tallystick/journal'
import { pgBossNotifier } from '@tallystick/journal/pg-boss'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import { testDatabase } from '@tallystick/test-postgres'
import { buildInput } from '@tallystick/testing'
import { afterAll, afterEach, beforeEach, describe, test, vi } from 'vitest'
import { type JournalShopOptions, journalShop, replyLost, requestLost, saleOf } from './journal/shop.ts'
import { CANARIES, cardSecrets } from './support/canary-gateway.ts'
import { expectClean } from './support/expect-clean.ts'
import { fileChannels, readNow } from './support/file-channels.ts'
import { madeValues } from './support/made-values.ts'
import { type Channel, innocentIn, MADE_IN_TEXT, type Secret, UUID } from './support/secret-scan.ts'
import { type Cell, linesOf, postgresCells, sqliteCells } from './support/stored-cells.ts'
import { UNTIL_DUE, wireTap } from './support/wire-tap.ts'

const folder = mkdtempSync(join(tmpdir(), 'canary-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Everything that comes out of the process: its streams, the client's diagnostics, and what a shop gets to see. */
const heard: string[] = []
const hear = (value: unknown): void => {
  heard.push(inspect(value, { depth: 12, showHidden: true, getters: true }))
}

beforeEach(() => {
  heard.length = 0
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => heard.push(String(chunk)) > 0)
  }
  for (const name of Object.values(DIAGNOSTICS)) diagnostics.subscribe(name, hear)
})
afterEach(() => {
  for (const name of Object.values(DIAGNOSTICS)) diagnostics.unsubscribe(name, hear)
  vi.restoreAllMocks()
})

describe('[S2-04] a journal puts no card number, no CVV and no key out', () => {
  test('on SQLite', { timeout: 60_000 }, async () => {
    const file = join(folder, 'shop.db')
    const shop = await tradingShop({ store: sqliteJournalStore({ file }) })
    const running = filesIn('while it runs')
    await shop.close()
    const cells = sqliteCells(file)
    // A lease that is over is in no cell any more.
    const innocent = [...madeValues(cells), UUID]
    const files = fileChannels([...running, ...filesIn('afterwards')]).map((channel) => ({ ...channel, innocent }))
    expectClean([told(), values(cells), ...files], shop.secrets)
  })

  test('on PostgreSQL, including its jobs', { timeout: 60_000 }, async () => {
    const database = await testDatabase()
    const tap = await wireTap(database.url)
    try {
      const connectionString = tap.url
      const wakeups = pgBossNotifier({ connectionString, onError: hear })
      const shop = await tradingShop({ store: postgresJournalStore({ connectionString }), wakeups })
      const cells = await postgresCells(database.url)
      await shop.close()
      const { password, pathname } = new URL(database.url)
      const innocent = [...madeValues(cells), ...MADE_IN_TEXT, UNTIL_DUE, password, pathname.slice(1)]
      const statements = { name: 'statements', bytes: tap.sent(), innocent }
      expectClean([told(), values(cells), statements], shop.secrets)
    } finally {
      tap.close()
      await database.close()
    }
  })
})

/** Every way that a payment with a card can go, with every canary. */
async function tradingShop(options: JournalShopOptions) {
  const shop = await journalShop({ ...options, onError: hear })
  const { journal, gateway, clock } = shop
  for (const [at, card] of CANARIES.entries()) {
    const pay = async (key: string, changes: Parameters<typeof saleOf>[0] = {}) => {
      const input = saleOf({ ...card, serverCallbackUrl: 'https://shop.example.com/callback', ...changes })
      hear(await journal.pay(`${key} ${at}`, 'sale', input).catch((error: unknown) => error))
    }
    await pay('taken')
    await pay('out of shape', { expireMonth: '13' })
    await pay('card data where none belongs', { email: card.cardNumber })
    shop.mishap('sale', replyLost)
    await pay('without a reply')
    shop.mishap('sale', requestLost)
    await pay('lost')
    const { clientOrderId: _, ...transfer } = buildInput('transfer', {
      ...card,
      destinationCardNumber: card.cardNumber,
    })
    hear(await journal.pay(`transfer ${at}`, 'transfer', transfer).catch((error: unknown) => error))
    const { clientOrderId: __, ...payout } = buildInput('payout', { cardNumber: card.cardNumber })
    hear(await journal.pay(`payout ${at}`, 'payout', payout).catch((error: unknown) => error))
    await gateway.settled()
    await shop.goOn(3, 60_000)
  }
  hear([shop.outcomes, shop.events, await journal.report(), clock.now()])
  const { controlKey, privateKey } = gateway.merchant
  const keys = [controlKey.reveal(), ...privateKey.reveal().split('\n').slice(1, -2)]
  const secrets = keys.map((key, line): Secret => ({ name: `line ${line} of the keys`, bytes: Buffer.from(key) }))
  return { close: shop.close, secrets: [...cardSecrets(CANARIES), ...secrets] }
}

function filesIn(when: string) {
  return readdirSync(folder)
    .toSorted()
    .map((name) => readNow(join(folder, name), when))
}

function told(): Channel {
  return { name: 'what was told', bytes: Buffer.from(heard.join('\n')), innocent: innocentIn(heard) }
}

function values(cells: readonly Cell[]): Channel {
  return { name: 'values', bytes: linesOf(cells), innocent: [...madeValues(cells), ...MADE_IN_TEXT] }
}
