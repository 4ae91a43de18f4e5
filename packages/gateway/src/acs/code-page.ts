import { html, type SafeHtml } from '@remix-run/html-template'
import type { AuthenticationStep } from '../orders/order.ts'
import { hiddenInputs } from '../pages/hidden-inputs.ts'
import { languageOf } from '../pages/language-of.ts'
import { amountOf, summaryOf } from '../pages/order-summary.ts'
import type { Page } from '../pages/page.ts'
import type { SentFields } from '../pages/read-fields.ts'
import { fill, type Texts } from '../pages/texts/en.ts'
import type { Verdict } from './verdict.ts'
import type { Visit } from './visit.ts'
import { FRAMED_BY_ANY } from './way-back.ts'

/** Gaps part 10. */
const CODE = 'hint'

/** How many codes the customer may type. */
const MOST_CODES = 3

/** The customer's verdict, or why to show the page again and how many wrong codes there were. */
export type CodeAnswer = { readonly verdict: Verdict } | { readonly wrong: number; readonly issue: keyof Texts }

/**
 * The number of wrong codes is in the page itself, since the simulated server remembers nothing. Whoever changes it only gets
 * more tries at a code that the page shows.
 */
export function readCode(fields: SentFields): CodeAnswer {
  if (fields.has('cancel')) return { verdict: 'cancelled' }
  const code = fields.get('code')?.trim().toLowerCase() ?? ''
  const before = Math.min(Number(/^\d$/.exec(fields.get('wrong') ?? '')?.[0] ?? 0), MOST_CODES - 1)
  if (code === CODE) return { verdict: 'authenticated' }
  if (code === '') return { wrong: before, issue: 'acsCodeMissing' }
  const wrong = before + 1
  return wrong >= MOST_CODES ? { verdict: 'failed' } : { wrong, issue: 'acsCodeWrong' }
}

interface CodePage {
  /** Hidden fields that come back with the answer. */
  readonly kept: Readonly<Record<string, string>>
  readonly refused?: Extract<CodeAnswer, { readonly wrong: number }> | undefined
}

/** The page on which the customer confirms the payment, or cancels it. */
export function codePage(
  { order, context, awaits }: Pick<Visit<AuthenticationStep>, 'order' | 'context' | 'awaits'>,
  { kept, refused }: CodePage,
): Page {
  const language = languageOf(order, context)
  const { texts } = language
  const action = `${context.profile.baseUrl}/acs/${awaits.step}/${context.token}/answer`
  const amount = amountOf(order, context, language.tag)
  const hidden = Object.entries({ ...kept, wrong: String(refused?.wrong ?? 0) })
  return {
    kind: 'page',
    ...(refused === undefined ? {} : { status: 422 }),
    language,
    title: refused === undefined ? texts.titleOfAcs : `${texts.errorPrefix}: ${texts.titleOfAcs}`,
    framedBy: FRAMED_BY_ANY,
    body: html`<div class="order">
<h1>${texts.titleOfAcs}</h1>
${amount && html`<p class="total">${amount}</p>`}
${summaryOf(order, texts)}
</div>
<p class="soft">${fill(texts.acsSimulated, { code: CODE })}</p>
<form method="post" action="${action}">
${hiddenInputs(hidden)}
${codeField(texts, refused)}
<button>${texts.acsConfirm}</button>
<button class="second" name="cancel" value="1" formnovalidate>${texts.acsCancel}</button>
</form>`,
  }
}

function codeField(texts: Texts, refused: CodePage['refused']): SafeHtml {
  const issue = refused === undefined ? '' : `${texts[refused.issue]}. ${triesLeft(texts, refused.wrong)}`
  return html`<div class="field">
<label for="code">${texts.acsCode}</label>
<input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="64" aria-describedby="code-error" aria-invalid="${refused !== undefined}"${refused && html` autofocus`}>
<span class="error" id="code-error">${issue}</span>
</div>`
}

function triesLeft(texts: Texts, wrong: number): string {
  const left = MOST_CODES - wrong
  return left === 1 ? texts.lastTry : fill(texts.triesLeft, { count: String(left) })
}
