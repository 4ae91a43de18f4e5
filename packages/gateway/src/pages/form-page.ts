import { html, type SafeHtml } from '@remix-run/html-template'
import type { HostedForm, StoredOrder } from '../orders/order.ts'
import { cardFields } from './card-fields.ts'
import { errorSummary } from './error-summary.ts'
import type { FormIssues, Way } from './form-fields.ts'
import { FORM_SCRIPT } from './form-script.ts'
import { languageOf } from './language-of.ts'
import { amountOf, summaryOf } from './order-summary.ts'
import type { Page } from './page.ts'
import type { PageContext } from './page-route.ts'
import { payoutFields } from './payout-fields.ts'
import { fill, type Texts } from './texts/en.ts'

interface FormTexts {
  readonly title: keyof Texts
  readonly explain?: keyof Texts
  readonly submit: keyof Texts
}

/** What each of the five forms says. */
const FORMS: Readonly<Record<HostedForm, FormTexts>> = {
  sale: { title: 'titleOfSale', submit: 'submitSale' },
  payment: { title: 'titleOfSale', submit: 'submitSale' },
  preauth: { title: 'titleOfPreauth', explain: 'explainPreauth', submit: 'submitPreauth' },
  'account-verification': {
    title: 'titleOfVerification',
    explain: 'explainVerification',
    submit: 'submitVerification',
  },
  payout: { title: 'titleOfPayout', explain: 'explainPayout', submit: 'submitPayout' },
}

/** What was wrong with the form that was sent. Of what was typed only the way of a payout is shown again. */
export interface Refusal {
  readonly issues: FormIssues
  readonly way?: Way
}

/** The form of an order, as new or with what was wrong. The answer to a refused form is 422 (RFC 9110 section 15.5.21). */
export function formPage(order: StoredOrder, form: HostedForm, context: PageContext, refusal?: Refusal): Page {
  const language = languageOf(order, context)
  const { texts } = language
  const amount = amountOf(order, context, language.tag)
  const { title, explain, submit } = FORMS[form]
  const fields = refusal === undefined ? context.emptyFields(form, language) : refusedFields(form, refusal, texts)
  const isHttps = context.profile.baseUrl.startsWith('https:')
  return {
    kind: 'page',
    ...(refusal === undefined ? {} : { status: 422 }),
    language,
    title: refusal === undefined ? texts[title] : `${texts.errorPrefix}: ${texts[title]}`,
    script: FORM_SCRIPT,
    body: html`${refusal && errorSummary(order, { ...refusal, texts })}<div class="order">
<h1>${texts[title]}</h1>
${explain && html`<p class="soft">${texts[explain]}</p>`}
${amount && html`<p class="total">${amount}</p>`}
${summaryOf(order, texts)}
</div>
<form method="post" action="" autocomplete="on" data-submitting="${texts.submitting}">
${fields}
<button>${fill(texts[submit], { amount: amount ?? '' })}</button>
<p class="small">${isHttps ? texts.privacy : texts.privacyInTheClear}</p>
</form>`,
  }
}

function refusedFields(form: HostedForm, { issues, way }: Refusal, texts: Texts): SafeHtml {
  return form === 'payout' ? payoutFields(texts, issues, way) : cardFields(texts, issues)
}
