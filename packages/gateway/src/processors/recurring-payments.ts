import type { RequestValues } from '@tallystick/core'
import { type Answer, success } from '../http/answer.ts'
import { minorUnits } from '../orders/amounts.ts'
import type { RecurringAmount, RecurringPayment } from '../store/recurring-payment.ts'
import { findCard, noSuchCard } from './cards.ts'
import { clientOrderIdTaken } from './open-order.ts'
import type { ProcessContext, Processor } from './processor.ts'

/**
 * Defines what is charged when, on which card, and answers at once (gaps part 3.4). A repeat of the same request gets
 * the first answer: a lost reply may be asked for again (SAFETY.md part 1).
 */
export const processCreateRecurringPayment: Processor<'createRecurringPayment'> = async (request, context) => {
  const { merchant, store, digest, at } = context
  const found = await findCard(request, context)
  if (found === undefined) return noSuchCard()
  const created = recurringPayment(request, found.sealed.cardId, context)
  const { recurringPaymentId, cardId } = created
  const written = await context.commit({
    recurringPayment: created,
    cards: [found.sealed],
    references: [
      { referenceId: recurringPaymentId, login: merchant.login, cardId, kind: 'recurring-payment', createdAt: at },
    ],
  })
  if (written.ok) return answer(created)
  const existing = await store.recurringPayment(merchant.login, request.clientOrderId)
  return existing?.digest === digest ? answer(existing) : clientOrderIdTaken()
}

function answer({ recurringPaymentId, serialNumber }: RecurringPayment): Answer {
  const type = 'create-recurring-payment-response'
  return success('createRecurringPayment', { type, serialNumber, status: 'approved', recurringPaymentId })
}

function recurringPayment(
  request: RequestValues<'createRecurringPayment'>,
  cardId: string,
  context: ProcessContext,
): RecurringPayment {
  const { ids, merchant, endpoint, digest, serialNumber, at } = context
  const { clientOrderId, recurringCardType, currency, orderDesc, serverCallbackUrl } = request
  return {
    recurringPaymentId: ids.orderId(),
    login: merchant.login,
    endpointId: endpoint.id,
    clientOrderId,
    digest,
    serialNumber,
    createdAt: at,
    cardId,
    cardType: recurringCardType,
    currency,
    amount: amountOf(request, context),
    schedule: scheduleOf(request, at),
    orderDesc,
    serverCallbackUrl,
  }
}

/** Exactly one of the three groups is there (gaps part 3.4). */
function amountOf(request: RequestValues<'createRecurringPayment'>, { profile }: ProcessContext): RecurringAmount {
  const { amount, amountFrom, amountTo, amountSequence = '', currency } = request
  const minor = (text: string) => minorUnits(text, currency, profile)
  if (amount !== undefined) return { kind: 'fixed', amount: minor(amount) }
  if (amountFrom !== undefined && amountTo !== undefined) {
    return { kind: 'range', from: minor(amountFrom), to: minor(amountTo) }
  }
  return { kind: 'sequence', amounts: amountSequence.split(',').map(minor) }
}

/** Without a period it is charged only on request; without a start it begins on the day of its creation. */
function scheduleOf({ period, interval, startDate, finishDate }: RequestValues<'createRecurringPayment'>, at: number) {
  if (period === undefined || interval === undefined) return undefined
  const today = new Date(at).toISOString().slice(0, 10)
  return { period, interval: Number(interval), startDate: startDate ?? today, finishDate }
}
