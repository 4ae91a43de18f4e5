import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type PaymentClient, redirectTo } from '@tallystick/client'
import { browserReturn, paymentCallbacks } from '@tallystick/express-adapter'
import { createJournal, type Journal, type PayResult, sqliteJournalStore } from '@tallystick/journal'
import express, { type Express } from 'express'

export interface ShopOptions {
  readonly client: PaymentClient
  /** The database of the shop: an SQLite file. */
  readonly file: string
  /** Where browsers and the gateway reach the shop: `https://shop.example.com`. */
  readonly url: string
}

export interface Shop {
  readonly app: Express
  readonly journal: Journal<DatabaseSync>
}

/** A shop that sends its customers to the gateway's page, and charges nobody twice. */
export function createShop({ client, file, url }: ShopOptions): Shop {
  const journal = createJournal({
    client,
    store: sqliteJournalStore({ file }),
    // What a final outcome does in your database: exactly once, whatever crashes.
    handler: ({ outcome, transaction }) => {
      transaction.exec('create table if not exists paid (invoice text, status text)')
      transaction.prepare('insert into paid values (?, ?)').run(outcome.businessKey, outcome.status)
    },
    // What happens to it later: charged back, refunded elsewhere, or approved after a decline. Look at each.
    onNotice: ({ notice }) => console.error('notice:', notice),
    // What needs an operator: a handler that throws, a refused key, a payment in doubt. Alert someone.
    onEvent: (event) => console.error('journal:', event),
  })
  journal.start()

  const app = express()
  // A callback is stored, answered with 200, and confirmed by a status check afterwards.
  app.use('/payments/callback', paymentCallbacks({ client, inbox: journal.inbox }))
  // The customer's browser returns. That proves nothing: the journal says what to show.
  app.use('/payments/return', browserReturn({ journal, show: ({ shown }) => redirectTo(`/thanks?payment=${shown}`) }))

  // The business key of a payment is its invoice, so pressing the button twice makes one payment.
  app.get('/', (_request, response) => {
    response.send(`<form method="post" action="/invoices/${randomUUID()}/pay"><button>Pay 10.42 EUR</button></form>`)
  })

  app.post('/invoices/:number/pay', async (request, response) => {
    const form = {
      ...CUSTOMER,
      customerIp: request.ip ?? '127.0.0.1',
      orderDesc: 'Tea',
      amount: '10.42',
      currency: 'EUR',
      redirectUrl: `${url}/payments/return`,
      serverCallbackUrl: `${url}/payments/callback`,
      notifyUrl: `${url}/payments/callback`, // what comes later: a chargeback, a refund made elsewhere
    }
    const key = `invoice ${request.params.number}`
    // 'next': what was declined, has expired or otherwise came to nothing is tried again; what is open or paid stays.
    const paid = await journal.pay(key, 'saleForm', form, { attempt: 'next' })
    const { outcome, intent } = paid
    if (outcome === 'accepted' && intent.redirectUrl !== undefined) return response.redirect(303, intent.redirectUrl)
    if ('error' in paid) console.error(key, outcome, paid.error?.message) // names the field that is wrong
    response.redirect(303, `/thanks?payment=${shownOf(paid)}`)
  })

  app.get('/thanks', ({ query }, response) => {
    const payment = typeof query['payment'] === 'string' ? query['payment'] : ''
    response.type('text').send(TEXTS.get(payment) ?? 'Your payment is being checked. Please wait.')
  })
  return { app, journal }
}

/** In a shop of yours it comes from the customer's account or the checkout. */
const CUSTOMER = {
  address1: 'Main st 1',
  city: 'Berlin',
  zipCode: '10115',
  country: 'DE',
  phone: '+49301234567',
  email: 'a@example.com',
} as const

/** What the page shows for a result of `pay`. Invalid input stays invalid, so it has another text than an unreachable gateway. */
function shownOf(paid: PayResult<'saleForm'>): string {
  if (paid.outcome === 'notSent' && paid.error?.code === 'INVALID_INPUT') return 'invalid'
  return paid.intent.state === 'FINAL' ? (paid.intent.status ?? 'unknown') : paid.outcome
}

/** Every value that is not in here is not decided yet. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ['approved', 'Thank you. It is paid.'],
  ['declined', 'It was declined, and you were not charged.'],
  ['filtered', 'It was declined, and you were not charged.'],
  ['error', 'The payment was not completed, and you were not charged. You can try again.'],
  ['rejected', 'This did not work, and you were not charged.'],
  ['invalid', 'Something in your order is not right, and you were not charged. We are looking at it.'],
  ['notSent', 'The payment service cannot be reached, and you were not charged. Please try again.'],
  ['conflict', 'Your order has changed. If you have paid, please wait. If not, try again in half an hour.'],
  ['unknown-order', 'We do not know this payment.'],
])
