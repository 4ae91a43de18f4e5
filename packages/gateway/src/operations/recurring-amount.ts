import { GATEWAY_CODES, type Profile, type RequestValues } from '@tallystick/core'
import { type Answer, refusal } from '../http/reply.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import { isWithinRequests, minorUnits } from '../orders/amounts.ts'
import type { RecurringAmount } from '../store/recurring-payment.ts'

type AmountFields = Pick<
  RequestValues<'createRecurringPayment'>,
  'amount' | 'amountFrom' | 'amountTo' | 'amountSequence' | 'currency'
>

interface ReadContext {
  readonly endpoint: Endpoint
  readonly profile: Profile
}

/** The amount of the charges, or its refusal: no charge should fail later for a reason that is known now. */
export function readRecurringAmount(request: AmountFields, context: ReadContext): RecurringAmount | Answer {
  const { kind, field, texts } = givenAmount(request)
  const amounts = texts.map((text) => minorUnits(text, request.currency, context.profile))
  if (texts.some((text) => !context.endpoint.allows(text))) {
    return refusal(GATEWAY_CODES.amountNotAllowed, `${field} must be ${context.endpoint.limitsText} at this endpoint.`)
  }
  const [first = 0n, last = first] = amounts
  if (kind === 'fixed') return { kind, amount: first }
  if (kind === 'sequence') return { kind, amounts }
  // Any amount between them may be charged, and has to be one that can be sent to return a part.
  if (!isWithinRequests(last, request.currency, context.profile)) {
    return refusal(
      GATEWAY_CODES.invalidRequest,
      'amountTo (amount-to) must have at most 10 characters with all decimals.',
    )
  }
  if (first <= last) return { kind, from: first, to: last }
  return refusal(GATEWAY_CODES.invalidRequest, `${field} must not be above amountTo (amount-to).`)
}

interface GivenAmount {
  readonly kind: RecurringAmount['kind']
  /** The field that a refusal names. */
  readonly field: string
  readonly texts: readonly string[]
}

/** A request has exactly one of the three groups (gaps part 3.4). */
function givenAmount({ amount, amountFrom, amountTo, amountSequence = '' }: AmountFields): GivenAmount {
  if (amount !== undefined) return { kind: 'fixed', field: 'amount (amount)', texts: [amount] }
  if (amountFrom !== undefined && amountTo !== undefined) {
    return { kind: 'range', field: 'amountFrom (amount-from)', texts: [amountFrom, amountTo] }
  }
  return { kind: 'sequence', field: 'amountSequence (amount-sequence)', texts: amountSequence.split(',') }
}
