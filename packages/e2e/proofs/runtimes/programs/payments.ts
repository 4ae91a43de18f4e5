/** Pays at a gateway with each way of signing, and loses a reply on the way. */
import { createPaymentClient, type PaymentClient } from '@tallystick/client'
import { buildInput, saleInput } from '@tallystick/testing'
import { ownTransport } from './own-transport.ts'

export interface Merchant {
  readonly baseUrl: string
  readonly login: string
  readonly controlKey: string
  readonly privateKey: string
  readonly endpointId: string
}

export interface PaymentsToMake {
  readonly merchant: Merchant
  /** The client order id of a sale whose reply is lost once the gateway has carried it out. */
  readonly lost: string
}

/** The client of a merchant, as a program of this runtime makes it. */
export function clientOf(merchant: Merchant): PaymentClient {
  return createPaymentClient({ ...merchant, transport: ownTransport({}) })
}

/** The results, in words to compare. */
export async function makePayments({ merchant, lost }: PaymentsToMake): Promise<Readonly<Record<string, string>>> {
  const client = clientOf(merchant)
  try {
    const { credentials } = await client.checkCredentials()
    const sale = saleInput()
    const sold = await client.sale(sale)
    const { outcome } = await client.waitForOutcome(sale)
    const unknown = await client.sale(saleInput({ clientOrderId: lost }))
    const resolved = unknown.outcome === 'unknown' ? (await unknown.resolve()).status : 'none'
    const paid = await client.payout(buildInput('payout'))
    const checked = await client.payoutCheck(buildInput('payoutCheck'))
    const said = [paid, checked].map(({ error, outcome }) => error?.message ?? outcome)
    const [hmac = '', rsa = ''] = said
    return { credentials, sale: sold.outcome, outcome, lost: unknown.outcome, resolved, hmac, rsa }
  } finally {
    await client.close()
  }
}
