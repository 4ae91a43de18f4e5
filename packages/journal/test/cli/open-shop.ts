/** A process of the shop that holds its journal open, pays when it is told to, and says which outcomes its handler had. */
import { on } from 'node:events'
import type { DatabaseSync } from 'node:sqlite'
import { createPaymentClient } from '@tallystick/client'
import type { JournalStore } from '@tallystick/client/ports'
import { defineProfile } from '@tallystick/core'
import type { PoolClient } from 'pg'
import { createJournal, sqliteJournalStore } from '../../src/index.ts'
import { postgresJournalStore } from '../../src/postgres.ts'
import { rebill, replied, statusReply } from '../shop-process.ts'

const [, , dialect = '', place = ''] = process.argv
// It must not outlive the process that started it.
process.once('disconnect', () => process.exit())

const client = createPaymentClient({
  profile: defineProfile({ baseUrl: 'http://127.0.0.1:1/paynet' }),
  login: 'test-login',
  controlKey: 'a control key of this test',
  endpointId: '253',
  transport: {
    send: async (request) =>
      request.url.includes('/status/')
        ? statusReply(request, { status: 'approved', amount: '1.42', currency: 'USD', 'paynet-order-id': '123' })
        : replied({ type: 'async-response', 'paynet-order-id': '456' }),
    close: async () => {},
  },
})

async function keep<Transaction>(
  store: JournalStore<Transaction>,
  write: (transaction: Transaction, key: string) => unknown,
): Promise<void> {
  const journal = createJournal<Transaction>({
    client,
    // Older than its first payment: the gateway here knows every order, and is not asked before one is paid.
    store: { ...store, madeAt: async () => 0 },
    noPaymentsBefore: new Date('2020-01-01'),
    handler: async ({ outcome, transaction }) => {
      await write(transaction, outcome.key)
      process.send?.(`handled ${outcome.key}`)
    },
    onNotice: ({ notice }) => void process.send?.(`notice ${notice.key}`),
  })
  journal.start()
  await journal.report()
  process.send?.('ready')
  for await (const [told] of on(process, 'message')) {
    if (told === 'close') break
    const key = { profile: 'subscription 12', period: '2026-11' }
    process.send?.((await journal.pay(key, 'makeRebill', rebill)).outcome)
  }
  await journal.close()
  process.disconnect()
}

if (dialect === 'sqlite') {
  await keep<DatabaseSync>(sqliteJournalStore({ file: place }), (transaction, key) =>
    transaction.prepare('insert into effects values (?)').run(key),
  )
} else {
  await keep<PoolClient>(postgresJournalStore({ connectionString: place }), (transaction, key) =>
    transaction.query('insert into effects values ($1)', [key]),
  )
}
