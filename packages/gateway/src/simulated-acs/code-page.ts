import { html, type SafeHtml } from '@remix-run/html-template'
import type { SimulatedResult } from '../acquirer/simulated-messages.ts'
import type { AuthenticationStep, StoredOrder } from '../orders/order.ts'
import { hiddenInputs, type Page } from '../pages/layout.ts'
import { amountOf, summaryOf } from '../pages/order-summary.ts'
import { languageOf } from '../pages/page-route.ts'
import { fill, type Texts } from '../texts/en.ts'
import { FRAMED_BY_ANY, type Session } from './session.ts'

/** Gaps part 10. */
const CODE = 'hint'

/** How many codes the customer may type. */
const MOST_CODES = 3

type OfCode = Pick<Session<AuthenticationStep>, 'order' | 'context' | 'awaits'>

/** The customer's verdict, or the page again with what was wrong and the order as it is now. */
type CodeAnswer = { readonly verdict: SimulatedResult } | { readonly order: StoredOrder; readonly issue: keyof Texts }

/** Whether the customer has typed too many wrong codes: then no code is right any more. */
export function hasFailed({ details }: StoredOrder): boolean {
  return wrongCodesOf(details) >= MOST_CODES
}

/**
 * Takes a code. Wrong ones are counted in the order, since a page that the browser kept could not tell. A right one is written
 * too: of many codes that are sent at once, each sees those before it. `undefined`: the order has changed meanwhile.
 */
export async function takeCode({
  order,
  context,
  fields,
}: Pick<Session<AuthenticationStep>, 'order' | 'context' | 'fields'>): Promise<CodeAnswer | undefined> {
  if (fields.has('cancel')) return { verdict: 'cancelled' }
  if (hasFailed(order)) return { verdict: 'failed' }
  const code = fields.get('code')?.trim().toLowerCase() ?? ''
  if (code === '') return { order, issue: 'acsCodeMissing' }
  const { pages } = order.details
  const wrongCodes = wrongCodesOf(order.details) + (code === CODE ? 0 : 1)
  const details = { ...order.details, pages: pages && { ...pages, wrongCodes } }
  const counted = { ...order, version: order.version + 1, details }
  const { ok } = await context.service.commit({ order: { order: counted, basedOn: order.version } })
  if (!ok) return undefined
  if (code === CODE) return { verdict: 'authenticated' }
  return hasFailed(counted) ? { verdict: 'failed' } : { order: counted, issue: 'acsCodeWrong' }
}

function wrongCodesOf({ pages }: StoredOrder['details']): number {
  return pages?.wrongCodes ?? 0
}

interface CodePage {
  /** Hidden fields that come back with the answer. */
  readonly kept: Readonly<Record<string, string>>
  /** What was wrong with the code. */
  readonly issue?: keyof Texts | undefined
}

/** The page on which the customer confirms the payment, or cancels it. */
export function codePage({ order, context, awaits }: OfCode, { kept, issue }: CodePage): Page {
  const language = languageOf(order, context)
  const { texts } = language
  const action = `${context.service.profile.baseUrl}/acs/${awaits.step}/${context.token}/answer`
  const amount = amountOf(order, context, language.tag)
  return {
    kind: 'page',
    ...(issue === undefined ? {} : { status: 422 }),
    language,
    title: issue === undefined ? texts.titleOfAcs : `${texts.errorPrefix}: ${texts.titleOfAcs}`,
    framedBy: FRAMED_BY_ANY,
    body: html`<div class="order">
<h1>${texts.titleOfAcs}</h1>
${amount && html`<p class="total">${amount}</p>`}
${summaryOf(order, texts)}
</div>
<p class="soft">${fill(texts.acsSimulated, { code: CODE })}</p>
<form method="post" action="${action}">
${hiddenInputs(Object.entries(kept))}
${codeField(order, texts, issue)}
<button>${texts.acsConfirm}</button>
<button class="second" name="cancel" value="1" formnovalidate>${texts.acsCancel}</button>
</form>`,
  }
}

function codeField({ details }: StoredOrder, texts: Texts, issue: CodePage['issue']): SafeHtml {
  const told = issue === undefined ? '' : `${texts[issue]}. ${triesLeft(texts, wrongCodesOf(details))}`
  return html`<div class="field">
<label for="code">${texts.acsCode}</label>
<input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="64" aria-describedby="code-error" aria-invalid="${issue !== undefined}"${issue && html` autofocus`}>
<span class="error" id="code-error">${told}</span>
</div>`
}

function triesLeft(texts: Texts, wrong: number): string {
  const left = MOST_CODES - wrong
  return left === 1 ? texts.lastTry : fill(texts.triesLeft, { count: String(left) })
}
