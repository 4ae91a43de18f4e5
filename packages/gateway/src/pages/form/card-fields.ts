import { html, type SafeHtml } from '@remix-run/html-template'
import type { Texts } from '../../texts/en.ts'
import { fieldView } from './field-view.ts'
import type { FormIssues } from './fields.ts'

/** The card that pays, in the order in which it is read off the card. */
export function cardFields(texts: Texts, issues: FormIssues): SafeHtml {
  const options = { texts, issues, required: true }
  return html`${fieldView('credit_card_number', options)}<div class="pair">
${fieldView('expiry', options)}${fieldView('cvv2', options)}</div>
${fieldView('card_printed_name', options)}`
}
