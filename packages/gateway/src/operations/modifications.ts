import { type Profile, parseRequest } from '@tallystick/core'
import { GATEWAY_CODES, type OrderAction, type RequestValues } from '@tallystick/core/internal'
import type { AuthenticationResponse } from '../acquirer/acquirer.ts'
import type { Processor, RequestContext } from '../context.ts'
import { type Answer, asyncReply, refusal, wrongFields } from '../http/reply.ts'
import { isWithinRequests, minorUnits } from '../orders/amounts.ts'
import { appendOperation, openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { authenticate } from '../processing/authenticate.ts'
import { askedOperation, execute } from '../processing/execute.ts'

/** Operations on an existing order: the rules allow or refuse them, the acquirer carries them out (interface part 3). */

const processCapture: Processor<'capture'> = (request, context) => modify('capture', request, context)

const processVoid: Processor<'void'> = (request, context) => modify('void', request, context)

const processReturn: Processor<'return'> = (request, context) => modify('return', request, context)

/**
 * The second step of a payout. No field for money is documented (gaps part 3.4). An amount that is sent all the same is read as
 * that of a void, and must be the whole too: a merchant who asks for a part must not pay all of it.
 */
const processPayoutPay: Processor<'payoutPay'> = async (request, context) => {
  const { login, clientOrderId, orderId, extra } = request
  const { amount, currency } = extra
  const read = parseRequest('void', { login, clientOrderId, orderId, amount, currency }, context.service.profile)
  return read.ok ? await modify('pay', read.value, context) : wrongFields(read.issues)
}

type Modification = Pick<RequestValues<'void'>, 'clientOrderId' | 'orderId' | 'amount' | 'currency'> &
  Partial<Pick<RequestValues<'void'>, 'comment'>>

/** Decides on the order as it is, and again if it changed meanwhile. */
async function modify(action: OrderAction, request: Modification, context: RequestContext): Promise<Answer> {
  const { service, merchant, serialNumber } = context
  const { clientOrderId, orderId, comment } = request
  for (;;) {
    const order = await service.store.findOrder({ login: merchant.login, clientOrderId, orderId })
    if (order === undefined) return noSuchOrder()
    // Read after the order: what had expired when the order was written is over now.
    const at = service.clock.now()
    const terms = termsOf(request, service.profile)
    if (hidesWhatIsLeft(order, terms.amount, service.profile)) return tooFine()
    const appended = appendOperation(order, { action, at, serialNumber, comment, ...terms })
    if (!appended.ok) return refusedByRule(appended.refusal)
    const written = await context.commit({ order: { order: appended.order, basedOn: order.version } })
    if (!written.ok) continue
    const asked = askedOperation(appended.order, appended.operation, service)
    service.background.run(() => execute(asked, service))
    return asyncReply({ serialNumber, clientOrderId, orderId, endpointId: order.endpointId })
  }
}

/** No amount has more than 10 characters, so what would be left of a very large order must not need more (gaps part 3). */
function hidesWhatIsLeft(order: StoredOrder, amount: bigint | undefined, profile: Profile): boolean {
  const whole = openingOperation(order).amount
  return amount !== undefined && !leavesShownAmount(whole, amount, order.terms.currency, profile)
}

function tooFine(): Answer {
  return refusal(
    GATEWAY_CODES.amountNotAllowed,
    'amount (amount) must have no more decimals than the amount of this order: what is left could not be written in 10 characters.',
  )
}

interface Terms {
  /** In minor units. */
  readonly amount?: bigint
  readonly currency?: string
}

function termsOf({ amount, currency }: Modification, profile: Profile): Terms {
  return amount === undefined || currency === undefined
    ? {}
    : { amount: minorUnits(amount, currency, profile), currency }
}

/** An order of another merchant does not exist either. */
export function noSuchOrder(): Answer {
  return refusal(GATEWAY_CODES.noSuchOrder, 'There is no order of this client_orderid and orderid.')
}

/** A rule of state refuses the operation: the answer names the rule, and nothing was created (gaps part 9). */
export function refusedByRule({ rule, reason }: { readonly rule: string; readonly reason: string }): Answer {
  return refusal(GATEWAY_CODES.refusedByRule, `Refused by rule ${rule}: ${reason}.`)
}

/** Uploads of the result of a 3DS step: the acquirer goes on with it, and the outcome follows by status (gaps part 8). */

const processUploadCresResult: Processor<'uploadCresResult'> = (request, context) =>
  goOn(request, { step: 'challenge', value: request.cRes }, context)

const processUploadParesResult: Processor<'uploadParesResult'> = (request, context) =>
  goOn(request, { step: 'pareq', value: request.paRes }, context)

const processUploadMethodUrlResult: Processor<'uploadMethodUrlResult'> = (request, context) =>
  goOn(request, { step: 'method', value: request.methodCompletion }, context)

interface Upload {
  readonly clientOrderId: string
  readonly orderId: string
}

async function goOn(
  { clientOrderId, orderId }: Upload,
  result: AuthenticationResponse,
  context: RequestContext,
): Promise<Answer> {
  const { service, merchant, serialNumber, requestFields } = context
  const find = () => service.store.findOrder({ login: merchant.login, clientOrderId, orderId })
  const authenticated = await authenticate(find, { ...result, requestFields }, context)
  switch (authenticated.status) {
    case 'no-order':
      return noSuchOrder()
    case 'not-awaited':
      return refusedByRule({ rule: 'awaited-step', reason: 'the order does not wait for the result of this 3DS step' })
    case 'goes-on': {
      const { order } = authenticated
      return asyncReply({ serialNumber, clientOrderId, orderId: order.orderId, endpointId: order.endpointId })
    }
  }
}

/** Operations on an existing order, by their keys. */
export const modifications = {
  capture: processCapture,
  void: processVoid,
  return: processReturn,
  payoutPay: processPayoutPay,
  uploadCresResult: processUploadCresResult,
  uploadParesResult: processUploadParesResult,
  uploadMethodUrlResult: processUploadMethodUrlResult,
}

/**
 * Whether an order of the first amount can be changed by the second, and still show what is left in an amount that a request
 * can have. If the order is too long with all decimals, its parts have no more decimals than it has.
 */
function leavesShownAmount(whole: bigint, part: bigint, currency: string, profile: Profile): boolean {
  if (isWithinRequests(whole, currency, profile)) return true
  const unit = 10n ** BigInt(String(whole).length - String(whole).replace(/(?<!0)0+$/, '').length)
  return part % unit === 0n
}
