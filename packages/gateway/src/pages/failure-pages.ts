import { html } from '@remix-run/html-template'
import type { Texts } from '../texts/en.ts'
import type { Language } from '../texts/languages.ts'
import type { Page } from './page.ts'

/** Pages that only say that it did not work: nothing about the inside, and nothing of what was sent. */
const FAILURES = {
  'not-found': [404, 'titleOfNotFound', 'notFound'],
  unreadable: [400, 'titleOfBadRequest', 'badRequest'],
  method: [405, 'titleOfBadRequest', 'badRequest'],
  failure: [500, 'titleOfFailure', 'failure'],
  'tries-per-card': [429, 'titleOfTriedTooOften', 'triedTooOften'],
  'tries-per-address': [429, 'titleOfAddressTriedTooOften', 'addressTriedTooOften'],
  busy: [503, 'titleOfBusy', 'busy'],
} as const satisfies Record<string, readonly [status: number, title: keyof Texts, text: keyof Texts]>

export function failurePage(
  failure: keyof typeof FAILURES,
  language: Language,
  headers: Readonly<Record<string, string>> = {},
): Page {
  const [status, title, text] = FAILURES[failure]
  const { texts } = language
  return {
    kind: 'page',
    status,
    language,
    title: texts[title],
    body: html`<h1>${texts[title]}</h1><p>${texts[text]}</p>`,
    headers,
  }
}
