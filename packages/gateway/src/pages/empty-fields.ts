import { html, type SafeHtml } from '@remix-run/html-template'
import type { HostedForm } from '../orders/order.ts'
import { cardFields } from './card-fields.ts'
import { payoutFields } from './payout-fields.ts'
import type { Language } from './texts/languages.ts'

/** The fields of a form before anything was sent. */
export type EmptyFields = (form: HostedForm, language: Language) => SafeHtml

/** They are the same for everybody, and most of a page: written once for each language. */
export function emptyFields(): EmptyFields {
  const known = new Map<string, SafeHtml>()
  return (form, { tag, texts }) => {
    const key = form === 'payout' ? `payout ${tag}` : `card ${tag}`
    const fields = known.get(key) ?? inOnePiece(form === 'payout' ? payoutFields(texts, {}) : cardFields(texts, {}))
    known.set(key, fields)
    return fields
  }
}

/** A text that was joined is kept in its pieces by V8, and put together at every use: this one is copied once. */
function inOnePiece(fields: SafeHtml): SafeHtml {
  return html.raw`${Buffer.from(String(fields)).toString()}`
}
