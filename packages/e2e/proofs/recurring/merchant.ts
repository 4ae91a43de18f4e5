import { createPaymentClient, type PaymentClient } from '@tallystick/client'
import { RejectedError } from '@tallystick/core'
import type { Gateway } from '@tallystick/gateway'
import { cards } from '@tallystick/testing'
import { askDirectly } from '../../test/support/ask-directly.ts'
import type { MerchantSettings, NamedOrder, ToldOrder } from './messages.ts'
import { textOf } from './plain-calendar.ts'
import { AMOUNT, ENDPOINTS, type PlannedSchedule } from './plan.ts'

export const PUBLIC_URL = 'https://gate.example.com/paynet'
const CALLBACK = 'https://shop.example.com/callback'

/** What the merchant asks for over the interface. */
export interface Merchant {
  /** Gives the id of the recurring payment. */
  create(schedule: PlannedSchedule): Promise<string>
  statusOf(order: NamedOrder): Promise<ToldOrder>
}

export function merchantOf(gateway: Gateway, settings: MerchantSettings): Merchant {
  const clients = new Map(ENDPOINTS.map(({ id }) => [id as string, clientOf(gateway, id, settings)]))
  const clientAt = (endpointId: string) => {
    const client = clients.get(endpointId)
    if (client === undefined) throw new Error(`There is no endpoint ${endpointId}`)
    return client
  }
  return {
    create: (schedule) => create(schedule, clientAt(schedule.endpoint.id)),
    statusOf: (order) => statusOf(order, clientAt(order.endpointId)),
  }
}

async function create(
  { cardType, period, interval, start, finish }: PlannedSchedule,
  client: PaymentClient,
): Promise<string> {
  const result = await client.createRecurringPayment({
    recurringCardType: cardType,
    clientOrderId: `r${crypto.randomUUID().replaceAll('-', '')}z`,
    ...cards.approved,
    amount: AMOUNT.major,
    currency: AMOUNT.currency,
    period,
    interval,
    startDate: textOf(start),
    finishDate: textOf(finish),
    serverCallbackUrl: CALLBACK,
  })
  if (result.outcome !== 'accepted') throw new Error(`A schedule was not created: ${result.outcome}`)
  return result.reply.recurringPaymentId
}

async function statusOf({ clientOrderId }: NamedOrder, client: PaymentClient): Promise<ToldOrder> {
  try {
    const { orderId, status, recurringPaymentId } = await client.status({ clientOrderId })
    return { clientOrderId, orderId, status, recurringPaymentId }
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error
    return { clientOrderId, orderId: undefined, status: undefined, recurringPaymentId: undefined }
  }
}

function clientOf(gateway: Gateway, endpointId: string, settings: MerchantSettings): PaymentClient {
  const { login, controlKey, privateKey } = settings
  return createPaymentClient({
    baseUrl: PUBLIC_URL,
    login,
    endpointId,
    controlKey,
    privateKey,
    clock: gateway.clock,
    transport: { send: (request) => askDirectly(gateway, request), close: async () => {} },
  })
}
