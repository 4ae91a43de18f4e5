import { html, type SafeHtml } from '@remix-run/html-template'
import type { Texts } from '../../texts/en.ts'
import { fieldView } from './field-view.ts'
import { type FormIssues, WAYS, type Way } from './fields.ts'

/**
 * Where a payout goes: one of four ways, with the fields of the chosen one, without script. A browser without the CSS selector
 * `:has` shows the fields of all ways, each under its name.
 */
export function payoutFields(texts: Texts, issues: FormIssues, chosen: Way = 'card'): SafeHtml {
  const ways = Object.keys(WAYS) as Way[]
  return html`<fieldset aria-describedby="way-error">
<legend>${texts.destination}</legend>
${ways.map(
  (
    way,
  ) => html`<label class="choice"><input type="radio" name="way" id="way-${way}" value="${way}"${way === chosen ? html` checked` : ''}>${texts[WAYS[way].label]}</label>
`,
)}<span class="error" id="way-error">${issues.way && texts[issues.way]}</span>
</fieldset>
${ways.map((way) => wayFields(way, { texts, issues: way === chosen ? issues : {} }))}`
}

function wayFields(way: Way, { texts, issues }: { readonly texts: Texts; readonly issues: FormIssues }): SafeHtml {
  const options = { texts, issues, required: false }
  return html`<fieldset class="way ${way}" aria-label="${texts[WAYS[way].label]}">
${WAYS[way].fields.map((name) => fieldView(name, { ...options, way }))}</fieldset>
`
}
