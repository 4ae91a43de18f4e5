import { redact, redactSecrets } from './redact-secrets.ts'

/** What ids and words of the interface look like. */
export const ID = /^[\w.:-]{1,128}$/
const LONGEST_ID = 128

/** An id from the other side is stored, logged and quoted: if it does not look like one, it may quote the request. */
export function redactedId(text: string): string {
  return ID.test(text) ? text : redact(text).slice(0, LONGEST_ID)
}

/** The names of a card number in a request of any operation, and in words about it. */
const NAMES_CARD = /card(?:[-_+]|%(?:25)*20)?(?:number|no)\b|\bpan\b/i

/** A token may have signs before digits: one with `Cvv-123` in it quotes nothing. */
const IN_TOKEN = /(?<![-._~])[-._~]+(?=\d)/g

/** An address must keep working, and its tokens may look like card numbers: it is changed only if it quotes a request. */
export function redactedAddress(text: string): string {
  const plain = text.replace(IN_TOKEN, 'x')
  return redactSecrets(plain) === plain && !NAMES_CARD.test(text) ? text : redact(text)
}
