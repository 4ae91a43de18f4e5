import { html } from '@remix-run/html-template'
import { inBase64url } from '../../acquirer/simulated-messages.ts'
import type { AuthenticationRequest, AuthenticationRequestOf, StoredOrder } from '../../orders/order.ts'
import { fill, type Texts } from '../../texts/en.ts'
import { anyHost, type Page, SEND_FORMS, selfSendingForm } from '../layout.ts'
import { languageOf, type PageContext } from '../page-route.ts'

/** The page of the next 3DS step. It continues by script, or by its button if the browser runs none (gaps parts 8 and 13). */
export function threeDsPage(order: StoredOrder, awaits: AuthenticationRequest, context: PageContext): Page {
  switch (awaits.step) {
    case 'method':
      return methodPage(order, awaits, context)
    case 'challenge': {
      const { acsUrl, creq, threeDsSessionData } = awaits
      return bankPage(order, acsUrl, { creq, threeDSSessionData: threeDsSessionData }, context)
    }
    case 'pareq': {
      const { acsUrl, paReq, md } = awaits
      const TermUrl = notificationUrl('pares', context)
      return bankPage(order, acsUrl, { PaReq: paReq, MD: md, TermUrl }, context)
    }
  }
}

/** Where the browser brings the result of a step (gaps part 13). */
function notificationUrl(step: 'method' | 'challenge' | 'pares', { service: { profile }, token }: PageContext): string {
  return `${profile.baseUrl}/3ds/${step}/${token}`
}

/**
 * The method frame and its ten-second rule: if the result has not come by then, it is `N` (interface parts 2 and 8). Without
 * script nothing can be posted into a frame, so the button sends `N` too. Without a method URL there is no frame, and it is `U`.
 */
function methodPage(
  order: StoredOrder,
  { methodUrl, threeDsServerTransId }: AuthenticationRequestOf<'method'>,
  context: PageContext,
): Page {
  const language = languageOf(order, context)
  const { texts } = language
  const seconds = context.service.profile.threeDsMethodWaitSeconds
  const completion = methodUrl === undefined ? { threeDSCompInd: 'U' } : { threeDSCompInd: 'N' }
  const goOn = selfSendingForm({
    action: notificationUrl('method', context),
    fields: completion,
    button: { label: texts.continue, noScript: texts.noScript },
    afterMs: methodUrl === undefined ? 0 : seconds * 1000,
  })
  const frame = methodUrl === undefined ? '' : methodFrame(methodUrl, threeDsServerTransId, texts, context)
  return {
    kind: 'page',
    language,
    title: texts.titleOfThreeDs,
    body: html`<div class="spinner"></div>
<h1>${texts.titleOfThreeDs}</h1>
<p role="status">${fill(texts.methodStep, { seconds: String(seconds) })}</p>
${frame}${goOn}`,
    script: SEND_FORMS,
    ...(methodUrl === undefined ? {} : framing(methodUrl)),
  }
}

function methodFrame(methodUrl: string, threeDSServerTransID: string, texts: Texts, context: PageContext) {
  const data = { threeDSServerTransID, threeDSMethodNotificationURL: notificationUrl('method', context) }
  const fields = { threeDSMethodData: inBase64url(data) }
  const form = selfSendingForm({ action: methodUrl, fields, target: 'method' })
  return html`<iframe name="method" title="${texts.titleOfThreeDs}" hidden></iframe>${form}`
}

/** The frame begins at the issuer, which may redirect it, and ends at the notification address. */
function framing(methodUrl: string): Pick<Page, 'formTargets' | 'frames'> {
  const sources = ["'self'", ...anyHost(methodUrl)]
  return { formTargets: sources, frames: sources }
}

function bankPage(
  order: StoredOrder,
  acsUrl: string,
  fields: Readonly<Record<string, string>>,
  context: PageContext,
): Page {
  const language = languageOf(order, context)
  const { texts } = language
  return {
    kind: 'page',
    language,
    title: texts.titleOfThreeDs,
    body: html`<h1>${texts.titleOfThreeDs}</h1>
<p role="status">${texts.challengeStep}</p>
${selfSendingForm({ action: acsUrl, fields, button: { label: texts.continueToBank, noScript: texts.noScript } })}`,
    formTargets: anyHost(acsUrl),
    script: SEND_FORMS,
  }
}
