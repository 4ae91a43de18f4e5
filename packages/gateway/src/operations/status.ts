import { html } from '@remix-run/html-template'
import type { ReplyValues } from '@tallystick/core'
import { GATEWAY_CODES } from '@tallystick/core/internal'
import type { Processor } from '../context.ts'
import { type Answer, refusal, success } from '../http/reply.ts'
import { threeDsPath } from '../orders/new-order.ts'
import { lastOperation } from '../orders/operations.ts'
import type { AuthenticationRequest, StoredOperation, StoredOrder } from '../orders/order.ts'
import { shownOrder } from '../orders/shown-order.ts'
import { chooseLanguage, type Language } from '../texts/languages.ts'
import { noSuchOrder } from './modifications.ts'

/**
 * Reports what became of an order, found by the merchant's id and, if given, the gateway's id and the serial number of a
 * request (interface part 4). With a serial number it reports on the operation that this request made.
 */
export const processStatus: Processor<'status'> = async (request, { service, merchant, at }) => {
  const { merchants, store, profile } = service
  const { clientOrderId, orderId, byRequestSn } = request
  const names = { login: merchant.login, clientOrderId, orderId }
  const order = await store.findOrder({ ...names, serialNumber: byRequestSn })
  if (order === undefined) {
    const isThere = byRequestSn !== undefined && (await store.findOrder(names)) !== undefined
    return isThere ? noSuchRequest() : noSuchOrder()
  }
  const asked = order.operations.find(({ serialNumber }) => serialNumber === byRequestSn)
  const operation = asked ?? lastOperation(order)
  const { cardId: _, ...card } = order.details.card ?? { cardId: '' }
  const { destination = {}, payer, merchantData, recurringPaymentId } = order.details
  return success('status', {
    type: 'status-response',
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    endpointId: order.endpointId,
    byRequestSn,
    ...shownOrder(order, operation, profile, at),
    ...shownAuthentication(order, operation, profile.baseUrl),
    descriptor: merchants.endpointOf(order)?.descriptor,
    ...card,
    destinationBankName: destination.bankName,
    destinationBin: destination.bin,
    destinationLastFourDigits: destination.lastFourDigits,
    destinationCardType: destination.cardType,
    ...payer,
    merchantData,
    recurringPaymentId,
  })
}

/** The order exists: to deny that would make a merchant believe that it was never made. */
function noSuchRequest(): Answer {
  const message =
    'byRequestSn (by-request-sn) must be the serial number of a request that made this order or one of its operations. ' +
    'Leave it out to ask for the last operation.'
  return refusal(GATEWAY_CODES.invalidRequest, message)
}

type Shown = Partial<Omit<ReplyValues<'status'>, 'extra'>>

/**
 * What the status shows of a 3DS step that the order waits for (gaps parts 4, 8 and 13): what the merchant's own pages need for
 * the step, or where the gateway's pages are.
 */
function shownAuthentication({ details }: StoredOrder, { status, outcome }: StoredOperation, baseUrl: string): Shown {
  const { awaits } = outcome
  if (status !== 'processing' || awaits === undefined || details.pages === undefined) return {}
  if (details.pages.threeDs === 'server') return shownStep(awaits)
  const redirectTo = baseUrl + threeDsPath(details.pages)
  return { redirectTo, html: redirectPage(redirectTo, chooseLanguage(details.preferredLanguage)) }
}

/** The catalogue has the spelling of the fields, which a profile can change. */
function shownStep(awaits: AuthenticationRequest): Shown {
  switch (awaits.step) {
    case 'method': {
      const { methodUrl, threeDsServerTransId } = awaits
      return { tdsStatus: 'MethodUrlFrame', methodUrl, threeDsServerTransId }
    }
    case 'challenge': {
      const { acsUrl, creq, threeDsSessionData } = awaits
      return {
        tdsStatus: 'CReqForm',
        creqFormAcsUrl: acsUrl,
        creqFormCreq: creq,
        creqFormSessionData: threeDsSessionData,
      }
    }
    case 'pareq': {
      const { acsUrl, paReq, md } = awaits
      return { tdsStatus: 'PaReqForm', pareqFormAcsUrl: acsUrl, pareqFormPareq: paReq, pareqFormMd: md }
    }
  }
}

/** A page that a merchant can show instead of a redirect. It submits itself, or by its button if scripts do not run. */
export function redirectPage(address: string, { tag, texts }: Language): string {
  return String(html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.titleOfThreeDs}</title>
</head>
<body>
<main>
<h1>${texts.titleOfThreeDs}</h1>
<form action="${address}" method="get"><button>${texts.continue}</button></form>
</main>
<script>document.forms[0].submit()</script>
</body>
</html>
`)
}
