import { html, type SafeHtml } from '@remix-run/html-template'
import type { StoredOrder } from '../../orders/order.ts'
import { fill, type Texts } from '../../texts/en.ts'
import { type FieldName, FORM_FIELDS, type FormIssues, inputId, type Way } from './fields.ts'
import { MOST_TRIES } from './max-attempts.ts'

interface Wrong {
  readonly issues: FormIssues
  readonly way?: Way
  readonly texts: Texts
}

/** Lists above the form what is wrong with it, each entry with a link to its field. A screen reader begins here. */
export function errorSummary({ details }: StoredOrder, { issues, way, texts }: Wrong): SafeHtml {
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
