import type { OpeningKind, RequestValues } from '@tallystick/core'
import { sealParticulars } from '../acquirer/sealed-particulars.ts'
import type { Answer } from '../http/reply.ts'
import type { HostedForm } from '../orders/order.ts'
import { openOrder } from './open-order.ts'
import { moneyOf } from './opening-terms.ts'
import { orderDetails } from './order-details.ts'
import type { ProcessContext, Processor } from './processor.ts'

/** Operations that ask for the card on a page of the gateway: the order is registered, and the answer has the page's address. */

export const processSaleForm: Processor<'saleForm'> = (request, context) => register('sale', 'sale', request, context)

export const processPreauthForm: Processor<'preauthForm'> = (request, context) =>
  register('preauth', 'preauth', request, context)

export const processAccountVerificationForm: Processor<'accountVerificationForm'> = (request, context) =>
  register('account-verification', 'account-verification', request, context)

/** The universal page makes a sale (interface part 4). */
export const processPaymentForm: Processor<'paymentForm'> = (request, context) =>
  register('sale', 'payment', request, context)

export const processPayoutForm: Processor<'payoutForm'> = (request, context) =>
  register('payout', 'payout', request, context)

type FormRequest = { readonly clientOrderId: string } & Partial<
  Pick<RequestValues<'saleForm'>, 'amount' | 'currency'>
> &
  Parameters<typeof orderDetails>[0]

async function register(
  kind: OpeningKind,
  form: HostedForm,
  request: FormRequest,
  context: ProcessContext,
): Promise<Answer> {
  const { clientOrderId } = request
  const token = context.ids.pageToken()
  const particulars = sealParticulars(context.particulars, token, context.vault)
  const opening = {
    kind,
    clientOrderId,
    money: moneyOf(request),
    details: { ...orderDetails(request), pages: { token, form, particulars } },
  }
  return await openOrder(opening, context)
}
