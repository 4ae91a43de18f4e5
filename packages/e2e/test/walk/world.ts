import { randomUUID } from 'node:crypto'
import type { PaymentClient, ResultOf } from '@tallystick/client'
import { GatewayError, type OperationKey, RejectedError, type ReplyValues, type RequestInput } from '@tallystick/core'
import { virtualClock } from '@tallystick/gateway'
import { cards, type StartGatewayOptions, saleInput, startGateway } from '@tallystick/testing'
import { expect } from 'vitest'

/** A gateway on a clock that is moved by hand, a client of its merchant, and what happened so far. */
export type World = Awaited<ReturnType<typeof startWorld>>

/** An order as its merchant names it. */
export interface Ids {
  readonly clientOrderId: string
  readonly orderId: string
}

export const money = { amount: '34.00', currency: 'USD' }

export async function startWorld(options: Pick<StartGatewayOptions, 'acquirer'> = {}) {
  const clock = virtualClock(Date.now())
  const gateway = await startGateway({
    sandbox: false,
    ...options,
    clock,
    currencies: ['USD', 'EUR'],
    limits: { min: '1.00', max: '5000.00' },
  })
  const client = gateway.client({ clock })
  const acts = actsOf(client, gateway.settled)
  return { gateway, clock, client, ...acts, close: gateway.close }
}

function actsOf(client: PaymentClient, settled: () => Promise<void>) {
  async function done<K extends OperationKey>(key: K, input: RequestInput<K>): Promise<ReplyValues<K>> {
    const result = await resultOf(client, key, input)
    await settled()
    if (!('reply' in result)) throw new Error(`${key} was not accepted: ${result.told}`)
    return result.reply
  }

  async function opened(key: 'sale' | 'preauth', changes: Partial<RequestInput<'sale'>> = {}): Promise<Ids> {
    const input = saleInput(changes)
    const { orderId } = await done(key, input)
    return { clientOrderId: input.clientOrderId, orderId }
  }

  return {
    done,
    sale: (changes?: Partial<RequestInput<'sale'>>) => opened('sale', changes),
    preauth: (changes?: Partial<RequestInput<'sale'>>) => opened('preauth', changes),
    /** A card reference of an approved sale. */
    cardRef: async () => {
      const { cardRefId } = await done('createCardRef', await opened('sale'))
      return cardRefId
    },
    /** A recurring payment of 34.00 that charges on request alone. */
    recurring: () => {
      const card = { recurringCardType: 'SRC', ...cards.approved } as const
      return done('createRecurringPayment', { ...card, ...money, clientOrderId: newOrderId() })
    },
    payoutCheck: async (): Promise<Ids> => {
      const clientOrderId = newOrderId()
      const { orderId } = await done('payoutCheck', { clientOrderId, ...money, accountNumber: '40817810099910004312' })
      return { clientOrderId, orderId }
    },
    /** What status shows of an order: status, type, amount now, amount asked for. */
    shown: async ({ clientOrderId }: Pick<Ids, 'clientOrderId'>) => {
      const { status, transactionType, amount, initialAmount } = await client.status({ clientOrderId })
      return [status, transactionType, amount, initialAmount]
    },
    /** The code and the message of a refusal; `accepted` if there is none. */
    refusal: async <K extends OperationKey>(key: K, input: RequestInput<K>): Promise<string> => {
      const result = await resultOf(client, key, input)
      return 'reply' in result ? 'accepted' : result.told
    },
  }
}

/** The result in one form for reads, which throw, and for everything else, which returns. */
async function resultOf<K extends OperationKey>(client: PaymentClient, key: K, input: RequestInput<K>) {
  try {
    const method = client[key] as (input: unknown) => Promise<ResultOf<K>>
    const result: unknown = await method(input)
    const { outcome, reply, error } = result as { outcome?: string; reply?: ReplyValues<K>; error?: unknown }
    if (outcome === undefined) return { reply: result as ReplyValues<K> }
    return outcome === 'accepted' && reply !== undefined ? { reply } : { told: tell(error) }
  } catch (error) {
    return { told: tell(error) }
  }
}

function tell(error: unknown): string {
  return error instanceof RejectedError || error instanceof GatewayError
    ? `${error.errorCode}: ${error.errorMessage}`
    : String(error)
}

/** Begins and ends with a letter, so that no boundary of a control string can shift. */
export function newOrderId(): string {
  return `w${randomUUID().replaceAll('-', '')}z`
}

/** Payments with this card wait for a 3DS challenge. */
export const challenged = cards.threeDs

/** A reply has an order id of the gateway's own form (gaps part 13). */
export const ORDER_ID = expect.stringMatching(/^[1-9]\d{14}$/)
