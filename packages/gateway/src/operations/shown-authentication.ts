import type { ReplyValues } from '@tallystick/core'
import type { AuthenticationRequest, StoredOperation, StoredOrder } from '../orders/order.ts'
import { threeDsPath } from '../orders/page-paths.ts'
import { chooseLanguage } from '../texts/languages.ts'
import { redirectPage } from './redirect-page.ts'

type Shown = Partial<Omit<ReplyValues<'status'>, 'extra'>>

/**
 * What the status shows of a 3DS step that the order waits for (gaps parts 4, 8 and 13): what the merchant's own pages need for
 * the step, or where the gateway's pages are.
 */
export function shownAuthentication(
  { details }: StoredOrder,
  { status, outcome }: StoredOperation,
  baseUrl: string,
): Shown {
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
