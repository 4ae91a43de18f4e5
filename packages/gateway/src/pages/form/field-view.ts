import { html, type SafeHtml } from '@remix-run/html-template'
import type { Texts } from '../../texts/en.ts'
import { type FieldName, FORM_FIELDS, type FormField, type FormIssues, inputId, type Way } from './fields.ts'

export interface FieldViewOptions {
  readonly texts: Texts
  readonly issues: FormIssues
  /**
   * Whether the browser itself checks the field, and requires it, if there is no script. Not for fields that may be hidden: a
   * browser does not send a form with a wrong field, and cannot show a hidden one.
   */
  readonly required: boolean
  /** The way of a payout that the field belongs to. */
  readonly way?: Way
}

/** A field with its label, its hint and the place for its error, linked for screen readers. Never with a value. */
export function fieldView(name: FieldName, { texts, issues, required, way }: FieldViewOptions): SafeHtml {
  const id = inputId(name, way)
  const field: FormField = FORM_FIELDS[name]
  const issue = issues[name]
  const describedBy = [...(field.hint === undefined ? [] : [`${id}-hint`]), `${id}-error`].join(' ')
  const input = html`<input id="${id}" name="${id}" type="${field.inputMode === 'tel' ? 'tel' : 'text'}" inputmode="${field.inputMode}" autocomplete="${field.autocomplete}" maxlength="${field.maxLength}" aria-describedby="${describedBy}" aria-invalid="${issue !== undefined}"${attributes(field, texts, required)} spellcheck="false">`
  return html`<div class="field">
<label for="${id}">${texts[field.label]}</label>
${field.check === 'pan' ? withBrand(input, id, texts) : input}
${field.hint && html`<span class="hint" id="${id}-hint">${texts[field.hint]}</span>`}
<span class="error" id="${id}-error">${issue && texts[issue]}</span>
</div>
`
}

function attributes({ check, missing, wrong, pattern }: FormField, texts: Texts, required: boolean): SafeHtml[] {
  return [
    html` data-check="${check}" data-wrong="${texts[wrong]}"`,
    ...(missing === undefined ? [] : [html` data-missing="${texts[missing]}"`]),
    ...(check === 'expiry' ? [html` data-past="${texts.expiryPast}"`] : []),
    ...(required ? [html` required`] : []),
    ...(required && pattern !== undefined ? [html` pattern="${pattern}"`] : []),
  ]
}

/** The card's brand has a reserved place, and screen readers announce it when it appears. */
function withBrand(input: SafeHtml, id: string, texts: Texts): SafeHtml {
  return html`<span class="number">${input}<output class="brand" for="${id}" aria-label="${texts.cardBrand}"></output></span>`
}
