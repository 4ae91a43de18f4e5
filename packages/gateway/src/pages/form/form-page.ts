import { html, type SafeHtml } from '@remix-run/html-template'
import type { HostedForm, StoredOrder } from '../../orders/order.ts'
import { fill, type Texts } from '../../texts/en.ts'
import type { Page } from '../layout.ts'
import { amountOf, summaryOf } from '../order-summary.ts'
import { languageOf, type PageContext } from '../page-route.ts'
import { type FieldName, FORM_FIELDS, type FormIssues, inputId, MOST_TRIES, type Way } from './fields.ts'
import { fieldsOf } from './form-parts.ts'
import { FORM_SCRIPT } from './script.ts'
import { FORM_TEXTS } from './texts.ts'

/** What was wrong with the form that was sent. Of the customer's input, only the way of a payout is shown again. */
interface Refusal {
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

interface Wrong {
  readonly issues: FormIssues
  readonly way?: Way
  readonly texts: Texts
}

/** Lists above the form what is wrong with it, each entry with a link to its field. A screen reader begins here. */
function errorSummary({ details }: StoredOrder, { issues, way, texts }: Wrong): SafeHtml {
  const left = MOST_TRIES - (details.pages?.tries ?? 0)
  const entries = Object.entries(issues) as ReadonlyArray<readonly [FieldName | 'way', keyof Texts]>
  const target = (name: FieldName | 'way') => (name === 'way' ? 'way-card' : inputId(name, way))
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>${texts.errorSummary}</h2>
<ul>${entries.map(([name, text]) => html`<li><a href="#${target(name)}">${labelOf(name, texts)}: ${texts[text]}</a></li>`)}</ul>
<p>${texts.reenter} ${left === 1 ? texts.lastTry : fill(texts.triesLeft, { count: String(left) })}</p>
</div>
`
}

function labelOf(name: FieldName | 'way', texts: Texts): string {
  return texts[name === 'way' ? 'destination' : FORM_FIELDS[name].label]
}
