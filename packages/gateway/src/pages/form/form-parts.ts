import { html, type SafeHtml } from '@remix-run/html-template'
import type { HostedForm } from '../../orders/order.ts'
import { fill, type Texts } from '../../texts/en.ts'
import { inAscii, inOnePiece, type Language } from '../../texts/languages.ts'
import {
  type FieldName,
  FORM_FIELDS,
  FORM_TEXTS,
  type FormField,
  type FormIssues,
  inputId,
  WAYS,
  type Way,
} from './fields.ts'

/** The parts of a new form that are the same for every order: most of a page. */
interface FormParts {
  readonly heading: SafeHtml
  /** From the beginning of the form to its button. */
  readonly opening: SafeHtml
  readonly emptyFields: SafeHtml
  /** The text of the button: all of it, or the parts before and after the amount. */
  readonly button: readonly SafeHtml[]
  /** From the button to the end of the form. */
  readonly closing: SafeHtml
}

/** Returns the parts of a form. They are written once for each language. */
export function formParts(isHttps: boolean): (form: HostedForm, language: Language) => FormParts {
  const known = new Map<string, FormParts>()
  return (form, { tag, texts }) => {
    const key = `${form} ${tag}`
    const parts = known.get(key) ?? partsOf(form, texts, isHttps)
    known.set(key, parts)
    return parts
  }
}

/** Stands for the amount. No text has this character. */
const PLACE = '\0'

function partsOf(form: HostedForm, texts: Texts, isHttps: boolean): FormParts {
  const { title, explain, submit } = FORM_TEXTS[form]
  return {
    heading: kept(html`<h1>${texts[title]}</h1>
${explain && html`<p class="soft">${texts[explain]}</p>`}`),
    opening: kept(html`<form method="post" action="" autocomplete="on" data-submitting="${texts.submitting}">`),
    emptyFields: kept(fieldsOf(form, texts, {})),
    button: fill(texts[submit], { amount: PLACE })
      .split(PLACE)
      .map((part) => kept(html`${part}`)),
    closing: kept(html`<p class="small">${isHttps ? texts.privacy : texts.privacyInTheClear}</p>
</form>`),
  }
}

export function fieldsOf(form: HostedForm, texts: Texts, issues: FormIssues, way?: Way): SafeHtml {
  return form === 'payout' ? payoutFields(texts, issues, way) : cardFields(texts, issues)
}

function kept(part: SafeHtml): SafeHtml {
  return html.raw`${inOnePiece(String(inAscii(part)))}`
}

/** The card that pays, in the order in which it is read off the card. */
function cardFields(texts: Texts, issues: FormIssues): SafeHtml {
  const options = { texts, issues, required: true }
  return html`${fieldView('credit_card_number', options)}<div class="pair">
${fieldView('expiry', options)}${fieldView('cvv2', options)}</div>
${fieldView('card_printed_name', options)}`
}

/**
 * Where a payout goes: one of four ways, with the fields of the chosen one, without script. A browser without the CSS selector
 * `:has` shows the fields of all ways, each under its name.
 */
function payoutFields(texts: Texts, issues: FormIssues, chosen: Way = 'card'): SafeHtml {
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

interface FieldViewOptions {
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
function fieldView(name: FieldName, { texts, issues, required, way }: FieldViewOptions): SafeHtml {
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
