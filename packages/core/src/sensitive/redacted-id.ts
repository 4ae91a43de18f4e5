import { redact, redactSecrets } from './redact-secrets.ts'

/** What ids and words of the interface look like. */
export const ID = /^[\w.:-]{1,128}$/
const LONGEST_ID = 128

/** An id of the other side is kept, written and quoted: what does not look like one may be the request that it was sent. */
export function redactedId(text: string): string {
  return ID.test(text) ? text : redact(text).slice(0, LONGEST_ID)
}

/** A card's number is named so in a request, whatever the operation, and in words about it. */
const NAMES_CARD = /card(?:[-_+]|%(?:25)*20)?(?:number|no)\b|\bpan\b/i

/** A token has signs of its own, also before digits: one with `Cvv-123` in it quotes nothing. */
const IN_TOKEN = /(?<![-._~])[-._~]+(?=\d)/g

/** An address has to lead somewhere, and its tokens may look like card numbers: it is changed only where it quotes a request. */
export function redactedAddress(text: string): string {
  const plain = text.replace(IN_TOKEN, 'x')
  return redactSecrets(plain) === plain && !NAMES_CARD.test(text) ? text : redact(text)
}
