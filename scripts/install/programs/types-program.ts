import { createPaymentClient, type PaymentClient } from '@tallystick/client'
import type { JournalStore } from '@tallystick/client/ports'
import { InvalidInputError, isPaymentError, Secret } from '@tallystick/core'
import { paymentCallbacks } from '@tallystick/express-adapter'
import { paymentCallbacks as callbacksOfFastify } from '@tallystick/fastify-plugin'
import { createGateway } from '@tallystick/gateway'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { createJournal, memoryJournalStore } from '@tallystick/journal'
import { createPayments, Payments } from '@tallystick/payments'
import { signControl } from '@tallystick/signing'
import { cards, saleInput, startGateway } from '@tallystick/testing'

export async function pay(): Promise<string> {
  const gateway = await startGateway({ currencies: ['USD'] })
  const { baseUrl, login, controlKey, endpointId } = gateway.merchant
  const client: PaymentClient = createPaymentClient({ baseUrl, login, controlKey, endpointId })
  const result = await client.sale(saleInput(cards.approved))
  // @ts-expect-error no operation ends so: the types are there, and not `any`
  if (result.outcome === 'paid') throw new Error()
  // @ts-expect-error there is no such field
  await client.sale({ amountInDollars: '10.42' })
  if (result.outcome === 'notSent' && result.error instanceof InvalidInputError) return result.error.message
  const store: JournalStore = memoryJournalStore()
  const journal = createJournal({ client, store, handler: () => {}, onNotice: 'ignore' })
  const { clientOrderId: _, ...sale } = saleInput({ amount: '10.42', currency: 'USD' })
  const { outcome } = await journal.pay('invoice 77', 'sale', sale)
  const error: unknown = new Secret('key')
  return isPaymentError(error) ? error.code : outcome
}

export const used = [
  paymentCallbacks,
  callbacksOfFastify,
  createGateway,
  sqliteStore,
  createPayments,
  Payments,
  signControl,
]
