import type { DatabaseSync } from 'node:sqlite'
import { createPaymentClient, type PaymentClient } from '@tallystick/client'
import { missingMethods } from '@tallystick/core/internal'
import { createJournal } from '@tallystick/journal'
import { isPaid, operationEnd, paidPayment, paymentNotice } from './events.ts'
import { checkPaymentsOptions, type PaymentsOptions, type PaymentsSettings, storeOf } from './options.ts'
import { Payments } from './payments.ts'

/**
 * The payments of a shop in one object: the client, the journal, the routes and the sentences for customers. It begins at once to
 * check the keys, to find out what became of open payments, and to call `onPaid`.
 *
 *     const payments = createPayments({
 *       gateway: { baseUrl, login, controlKey, endpointId },
 *       database: 'shop.db',
 *       shopUrl: 'https://shop.example.com',
 *       onPaid: ({ payment, transaction }) => transaction.prepare('insert into paid values (?)').run(payment.key),
 *       onNotice: ({ notice }) => console.error(notice),
 *     })
 *     app.use('/payments', payments.express())
 *
 * @throws TypeError that names an option which is missing, wrong or unknown; SigningError `BAD_KEY` for a key that cannot be used
 */
export function createPayments<Transaction = DatabaseSync>(
  options: PaymentsOptions<Transaction>,
): Payments<Transaction> {
  checkPaymentsOptions(options)
  const { database, onPaid, onNotice, onResult, onEvent } = options
  const { client, close } = clientOf(options.gateway)
  const { exponents } = client
  const journal = createJournal<Transaction>({
    ...options.journal,
    client,
    store: storeOf(database),
    handler: async ({ outcome, transaction }) => {
      if (isPaid(outcome)) await onPaid({ payment: paidPayment(outcome, exponents), transaction })
      else await onResult?.({ result: operationEnd(outcome, exponents), transaction })
    },
    onNotice:
      onNotice === 'ignore'
        ? onNotice
        : ({ notice, transaction }) => onNotice({ notice: paymentNotice(notice, exponents), transaction }),
    onEvent,
  })
  const payments = new ClosingPayments(client, journal, options, close)
  journal.start()
  // What it finds is told to `onEvent`, and to who waits for `ready`.
  payments.ready().catch(() => {})
  return payments
}

/** Closes its client too. */
class ClosingPayments<Transaction> extends Payments<Transaction> {
  readonly #closeClient: () => Promise<void>

  constructor(
    ...[client, journal, settings, closeClient]: [
      ...ConstructorParameters<typeof Payments<Transaction>>,
      () => Promise<void>,
    ]
  ) {
    super(client, journal, settings)
    this.#closeClient = closeClient
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#closeClient()
  }
}

/** A client that was given is closed by who made it. */
function clientOf(gateway: PaymentsSettings['gateway']): { client: PaymentClient; close: () => Promise<void> } {
  if (isClient(gateway)) return { client: gateway, close: async () => {} }
  const client = createPaymentClient(gateway)
  return { client, close: () => client.close() }
}

function isClient(gateway: PaymentsSettings['gateway']): gateway is PaymentClient {
  return missingMethods(gateway, ['checkCredentials', 'status']).length === 0
}
