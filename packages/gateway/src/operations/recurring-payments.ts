import { GATEWAY_CODES, type RequestValues } from '@tallystick/core'
import { sealParticulars } from '../acquirer/sealed-particulars.ts'
import { type Answer, refusal, success } from '../http/reply.ts'
import { dateOf, firstCharge, isOver } from '../processing/next-charge.ts'
import type { RecurringPayment } from '../store/recurring-payment.ts'
import { referenceKind } from '../vault/sealed-card.ts'
import { findCard, noSuchCard } from './cards.ts'
import type { ProcessContext, Processor } from './processor.ts'
import { readRecurringAmount } from './recurring-amount.ts'
import { endsBeforeItBegins, readSchedule } from './recurring-schedule.ts'
import { wrongAddress } from './wrong-address.ts'

type Creation = RequestValues<'createRecurringPayment'>

/**
 * Defines what is charged when, on which card, and answers at once (gaps part 3.4). The task of the first charge is written
 * with it.
 */
export const processCreateRecurringPayment: Processor<'createRecurringPayment'> = async (request, context) => {
  const { merchant, endpoint, at, clock } = context
  const role = request.recurringCardType === 'SRC' ? 'pays' : 'receives'
  const found = await findCard(role, request, context, role === 'pays' && request.period !== undefined)
  if (found === undefined) return noSuchCard()
  const payment = recurringPayment(request, found.sealed.cardId, context)
  if ('httpStatus' in payment) return payment
  const { recurringPaymentId: referenceId, cardId, schedule } = payment
  // A clock that is wrong for a while would put the first charge off by as much.
  const createdAt = clock.trusted()
  const first = firstCharge({ ...payment, createdAt }, endpoint.charges)
  const isUseless = schedule === undefined ? isOver(payment, createdAt, endpoint.charges) : first === undefined
  if (isUseless) return endsBeforeItBegins()
  const kind = referenceKind('recurring-payment', role)
  const written = await context.commit({
    recurringPayment: { ...payment, nextCharge: first && dateOf(first) },
    cards: [found.sealed],
    references: [{ referenceId, login: merchant.login, cardId, kind, createdAt: at }],
    tasks: first === undefined ? [] : [first],
  })
  return written.ok ? created(payment) : refusal(GATEWAY_CODES.clientOrderIdTaken, TAKEN)
}

/** No status shows a recurring payment: a merchant who asked for it would believe that there is none, and create a second. */
const TAKEN =
  'clientOrderId (client-orderid) was used before with other content, for a recurring payment that exists. ' +
  'Send again what was sent first, to get its recurring-payment-id, or choose a new id for another.'

/** The answer to the request that created it. */
export function created({ recurringPaymentId, serialNumber }: RecurringPayment): Answer {
  const type = 'create-recurring-payment-response'
  return success('createRecurringPayment', { type, serialNumber, status: 'approved', recurringPaymentId })
}

/** The payment, or why there can be none. */
function recurringPayment(request: Creation, cardId: string, context: ProcessContext): RecurringPayment | Answer {
  const { ids, merchant, endpoint, digest, serialNumber, at, vault } = context
  const { clientOrderId, recurringCardType, currency, orderDesc, serverCallbackUrl, finishDate } = request
  const { email, phone, firstName, lastName } = request
  const amount = readRecurringAmount(request, context)
  if ('httpStatus' in amount) return amount
  const unheard = wrongAddress({ serverCallbackUrl }, context)
  if (unheard !== undefined) return unheard
  const recurringPaymentId = ids.orderId()
  return {
    recurringPaymentId,
    version: 1,
    login: merchant.login,
    endpointId: endpoint.id,
    clientOrderId,
    digest,
    serialNumber,
    createdAt: at,
    cardId,
    cardType: recurringCardType,
    currency,
    amount,
    schedule: readSchedule(request, context),
    finishDate,
    payer: { email, phone, firstName, lastName },
    particulars: sealParticulars(context.particulars, recurringPaymentId, vault),
    orderDesc,
    serverCallbackUrl,
  }
}
