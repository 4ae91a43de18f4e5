// The shop's part, the same on every framework. Copy it beside the code that imports it, with a database.ts of `databases`.
import { createPayments, type Payments, type ShownPayment } from '@tallystick/payments'
import { book, closeDatabase, database } from './database.ts'

export interface Shop {
  /** Has the routes below `/payments`, and `ready`. */
  readonly payments: Payments
  /** At the end of the process, after the server. */
  close(): Promise<void>
  /** Where browsers reach it: `https://shop.example.com`. */
  readonly origin: string
  /** The button. Pressing it twice makes one payment. */
  pay(invoice: string, customerIp: string): Promise<ShownPayment>
  /** The invoice's own page: what it says, and where its button leads, if it can be paid. */
  page(invoice: string, language: string | null | undefined): Promise<{ text: string; payAt: string | undefined }>
}

/**
 * The shop that the environment describes. It begins at once to work on its database, so make it when the server starts, and never
 * while a build loads modules.
 */
export function createShop(environment: Readonly<Record<string, string | undefined>> = process.env): Shop {
  const setting = (name: string) => environment[name] ?? missing(name)
  const shopUrl = setting('SHOP_URL') // where browsers and the gateway reach the shop
  const payments = createPayments({
    gateway: {
      baseUrl: setting('TALLYSTICK_BASE_URL'),
      login: setting('TALLYSTICK_LOGIN'),
      controlKey: setting('TALLYSTICK_CONTROL_KEY'),
      endpointId: setting('TALLYSTICK_ENDPOINT'),
    },
    database,
    shopUrl,
    // Exactly once, whatever crashes.
    onPaid: ({ payment, transaction }) => book(transaction, payment),
    // What happens to it later: charged back, refunded elsewhere, or approved after a decline. Look at each.
    onNotice: ({ notice }) => console.error(notice.kind, notice.key, notice.amount),
    // A refused key, a field that is wrong, a handler that throws. Alert someone.
    onEvent: (event) => console.error(event),
    // Where a customer who comes back goes.
    returnTo: ({ key }) => `/invoices/${key.slice(keyOf('').length)}`,
  })
  return {
    payments,
    close: async () => {
      await payments.close()
      await closeDatabase()
    },
    origin: new URL(shopUrl).origin,
    pay: (invoice, customerIp) => payments.pay(keyOf(invoice), orderOf(customerIp)),
    page: async (invoice, language) => {
      const payment = await payments.find(keyOf(invoice))
      const canBePaid = payment === undefined || ['redirect', 'declined', 'try-again'].includes(payment.show)
      return {
        text: payment?.text(language ?? undefined) ?? 'Tea: 10.42 EUR',
        payAt: canBePaid ? `/invoices/${encodeURIComponent(invoice)}/pay` : undefined,
      }
    },
  }
}

function missing(name: string): never {
  throw new Error(`Set ${name} in the environment`)
}

const keyOf = (invoice: string) => `invoice ${invoice}`

/** In a shop of yours it comes from the checkout, and the customer from their account. */
const orderOf = (ip: string) => ({
  amount: '10.42', // text, never a number
  currency: 'EUR',
  description: 'Tea',
  customer: {
    email: 'a@example.com',
    phone: '+49301234567',
    address1: 'Main st 1',
    city: 'Berlin',
    zipCode: '10115',
    country: 'DE',
    ip,
  },
})
