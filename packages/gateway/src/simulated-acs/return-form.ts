import { html } from '@remix-run/html-template'
import type { FaultName } from '../faults/faults.ts'
import type { AuthenticationStep } from '../orders/order.ts'
import { languageOf } from '../pages/language-of.ts'
import type { Page } from '../pages/page.ts'
import { SEND_FORMS, selfSendingForm } from '../pages/self-sending-form.ts'
import type { Visit } from './session.ts'

/** Any site may show an issuer's pages in a frame: some merchants show the challenge in one. */
export const FRAMED_BY_ANY = ['*'] as const

/** Whether the browser may be sent to this address with the server's message: http or https, without user name or password. */
export function isBrowserAddress(address: string): boolean {
  const url = URL.parse(address)
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === '' && url.password === ''
}

/** The fault of a sandbox by which the customer does not come back from a step. */
const NOBODY_COMES_BACK = {
  method: 'method-time-out',
  challenge: 'three-ds-abandoned',
  pareq: 'three-ds-abandoned',
} as const satisfies Readonly<Record<AuthenticationStep, FaultName>>

/** Takes the server's message back to the requestor: by script, or by a button if the browser runs none. */
export function wayBack(
  { order, context, awaits }: Pick<Visit<AuthenticationStep>, 'order' | 'context' | 'awaits'>,
  address: string,
  fields: Readonly<Record<string, string>>,
): Page {
  const language = languageOf(order, context)
  const { texts } = language
  if (context.faults.of(order).has(NOBODY_COMES_BACK[awaits.step])) {
    return deadEnd({ order, context }, texts.acsNobodyComesBack)
  }
  return {
    kind: 'page',
    language,
    title: texts.titleOfAcs,
    body: html`<h1>${texts.titleOfAcs}</h1>
<p role="status">${texts.acsDone}</p>
${selfSendingForm({ action: address, fields, button: { label: texts.continue, noScript: texts.noScript } })}`,
    // By scheme: browsers apply the policy to redirects of the answer too, which may lead to another host.
    formTargets: ['http:', 'https:'],
    framedBy: FRAMED_BY_ANY,
    script: SEND_FORMS,
  }
}

/** A page that leads nowhere. */
export function deadEnd({ order, context }: Pick<Visit<AuthenticationStep>, 'order' | 'context'>, why: string): Page {
  const language = languageOf(order, context)
  const { titleOfAcs } = language.texts
  return {
    kind: 'page',
    language,
    title: titleOfAcs,
    body: html`<h1>${titleOfAcs}</h1><p>${why}</p>`,
    framedBy: FRAMED_BY_ANY,
  }
}
