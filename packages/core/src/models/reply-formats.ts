import { ID, redactedAddress, redactedId } from '../sensitive/redact.ts'
import { type Format, format } from './format.ts'
import * as z from './schemas.ts'

/** Formats of what a gateway writes. */

const OF_GATEWAY = {
  wire: { type: 'string' },
  bound: 'a text',
  remedy: 'This field is written by the gateway.',
} as const

/** Any text of a gateway: replies are read openly, so that a new value never breaks a merchant's program. */
export const anyText: Format<string, string> = format(() => z.string(), {
  ...OF_GATEWAY,
  usual: (value) => (typeof value === 'string' && /^\S/.test(value) ? value : undefined),
})

/** An id in a reply. It is stored, logged and quoted: if the gateway quotes a request instead, it is redacted. */
export const idOfReply: Format<string, string> = format(() => z.transform(z.string(), redactedId), {
  ...OF_GATEWAY,
  usual: (value) => (typeof value === 'string' && ID.test(value) ? value : undefined),
})

/** Where a reply sends the customer. */
export const addressOfReply: Format<string, string> = format(() => z.transform(z.string(), redactedAddress), OF_GATEWAY)

/** One of the documented texts, or another that a gateway may send one day: a word, as an id is. */
export function openText<const Values extends readonly string[]>(
  ..._documented: Values
): Format<Values[number] | (string & {}), Values[number] | (string & {})> {
  return idOfReply
}

/** The same, read in either case. Not for a callback, whose control covers its status as it was sent. */
export function eitherCase<const Values extends readonly string[]>(
  ...documented: Values
): Format<Values[number] | (string & {}), Values[number] | (string & {})> {
  const find = (text: unknown) => documented.find((each) => each === text)
  return format(() => z.transform(z.string(), (text) => find(text.toLowerCase()) ?? redactedId(text)), {
    ...OF_GATEWAY,
    usual: find,
  })
}
