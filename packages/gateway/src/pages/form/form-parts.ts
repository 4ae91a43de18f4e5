import { html, type SafeHtml } from '@remix-run/html-template'
import type { HostedForm } from '../../orders/order.ts'
import { fill, type Texts } from '../../texts/en.ts'
import { inAscii, inOnePiece } from '../../texts/in-ascii.ts'
import type { Language } from '../../texts/languages.ts'
import { cardFields } from './card-fields.ts'
import type { FormIssues, Way } from './fields.ts'
import { payoutFields } from './payout-fields.ts'
import { FORM_TEXTS } from './texts.ts'

/** The parts of a new form that are the same for every order: most of a page. */
export interface FormParts {
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
