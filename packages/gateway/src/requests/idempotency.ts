import {
  catalogue,
  describeIssue,
  type FieldIssue,
  GATEWAY_CODES,
  type OperationKey,
  ValidationErrorResponse,
} from '@tallystick/core'
import { type Answer, refusal, wrongFields } from '../http/reply.ts'
import { acknowledged } from '../operations/acknowledged.ts'
import { asStarted } from '../operations/process-recurring.ts'
import type { ProcessContext } from '../operations/processor.ts'
import { created } from '../operations/recurring-payments.ts'
import type { StoredOrder } from '../orders/order.ts'
import { NonceUsedError } from './nonce.ts'

type Known = Pick<ProcessContext, 'store' | 'merchant' | 'profile' | 'repeatsAllowed'>

interface Named {
  readonly key: OperationKey
  readonly clientOrderId: string | undefined
}

/**
 * A repeat of a request that was carried out gets the first answer (gaps part 13), whatever has changed since: the day, the
 * settings of the endpoint, or whether the acquirer answers. A refusal would say that nothing was created (gaps part 9), and
 * the merchant would ask for the same under another id. The first answer is looked for only instead of a refusal or a failure.
 *
 * @param onRepeat called before it is returned
 */
export async function orFirstAnswer(
  processed: Promise<Answer>,
  request: Named & Pick<ProcessContext, 'digest'>,
  known: Known,
  onRepeat: () => void,
): Promise<Answer> {
  const first = async () => {
    const answer = await firstAnswer(request, known)
    if (answer !== undefined) onRepeat()
    return answer
  }
  return await processed.then(
    async (answer) => (answer.model === ValidationErrorResponse ? ((await first()) ?? answer) : answer),
    async (error: unknown) => {
      const answer = error instanceof NonceUsedError ? undefined : await first()
      if (answer === undefined) throw error
      return answer
    },
  )
}

/** `undefined`: it was not carried out before, or its id is that of another. */
export async function firstAnswer(
  request: Named & Pick<ProcessContext, 'digest'>,
  known: Known,
): Promise<Answer | undefined> {
  const made = await madeUnder(request, known)
  return made?.digest === request.digest ? made.answer() : undefined
}

/**
 * Refuses a form with wrong fields. It may repeat one that was carried out when the rules were less strict, so if its id was used
 * before, the refusal does not say that nothing was created.
 */
export async function refuseWrongFields(issues: readonly FieldIssue[], request: Named, known: Known): Promise<Answer> {
  const wrong = issues.map(describeIssue).join(' ')
  return creates(request.key) && (await madeUnder(request, known)) !== undefined
    ? refusal(
        GATEWAY_CODES.clientOrderIdTaken,
        `${usedBefore(request)} before you choose a new id. Wrong fields: ${wrong}`,
      )
    : wrongFields(issues)
}

/** No status shows a recurring payment: its id is only in the first answer. */
function usedBefore({ key }: Named): string {
  return key === 'createRecurringPayment'
    ? 'clientOrderId (client-orderid) was used before. Send again what was sent first, to get its recurring-payment-id,'
    : 'clientOrderId (client_orderid) was used before. Ask for its status'
}

/** A request that acts on an existing order has its order id as well. */
export function creates(key: OperationKey): boolean {
  return !('orderId' in catalogue[key].request.fields)
}

interface Made {
  /** Covers the address, so that only requests for the same operation share it. */
  readonly digest: string
  readonly answer: () => Answer
}

async function madeUnder(
  { key, clientOrderId }: Named,
  { store, merchant: { login }, profile, repeatsAllowed }: Known,
): Promise<Made | undefined> {
  if (clientOrderId === undefined) return undefined
  if (key === 'createRecurringPayment') {
    const payment = await store.recurringPayment(login, clientOrderId)
    return payment && { digest: payment.digest, answer: () => created(payment) }
  }
  if (key === 'updateRecurringPayment' || catalogue[key].effect === 'reads') return undefined
  const order = repeatsAllowed ? undefined : await store.findOrder({ login, clientOrderId })
  const answer = (made: StoredOrder) => acknowledged(made, { profile })
  const as = key === 'processRecurringPayment' ? (made: StoredOrder) => asStarted(answer(made)) : answer
  return order && { digest: order.digest, answer: () => as(order) }
}
