import { html } from '@remix-run/html-template'
import type { HostedForm, StoredOrder } from '../../orders/order.ts'
import { languageOf } from '../language-of.ts'
import { amountOf, summaryOf } from '../order-summary.ts'
import type { Page } from '../page.ts'
import type { PageContext } from '../page-route.ts'
import { errorSummary } from './error-summary.ts'
import type { FormIssues, Way } from './fields.ts'
import { fieldsOf } from './form-parts.ts'
import { FORM_SCRIPT } from './script.ts'
import { FORM_TEXTS } from './texts.ts'

/** What was wrong with the form that was sent. Of the customer's input, only the way of a payout is shown again. */
export interface Refusal {
  readonly issues: FormIssues
  readonly way?: Way
}

/** The form of an order, new or with what was wrong. The answer to a refused form is 422 (RFC 9110 section 15.5.21). */
export function formPage(order: StoredOrder, form: HostedForm, context: PageContext, refusal?: Refusal): Page {
  const language = languageOf(order, context)
  const { texts } = language
  const amount = amountOf(order, context, language.tag)
  const { title } = FORM_TEXTS[form]
  const { heading, opening, emptyFields, button, closing } = context.formParts(form, language)
  const fields = refusal === undefined ? emptyFields : fieldsOf(form, texts, refusal.issues, refusal.way)
  return {
    kind: 'page',
    ...(refusal === undefined ? {} : { status: 422 }),
    language,
    title: refusal === undefined ? texts[title] : `${texts.errorPrefix}: ${texts[title]}`,
    script: FORM_SCRIPT,
    body: html`${refusal && errorSummary(order, { ...refusal, texts })}<div class="order">
${heading}
${amount && html`<p class="total">${amount}</p>`}
${summaryOf(order, texts)}
</div>
${opening}
${fields}
<button>${button[0]}${button[1] && html`${amount}${button[1]}`}</button>
${closing}`,
  }
}
