import { catalogue, maskCardNumbers, type OperationKey, type Pair, type Profile } from '@tallystick/core'
import { redactSecrets } from '@tallystick/core/internal'
import { shownPath } from '../http/request.ts'
import { memoize } from '../runtime/tasks.ts'

/** What a field holds that must not be recorded as it is: a card number, a code or a key, rows of both, or an encoded message. */
type Kind = 'card' | 'code' | 'rows' | 'message' | 'plain'

/** By the names of the models, however a profile spells them on the wire. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['cardNumber', 'card'],
  ['destinationCardNumber', 'card'],
  ['cvv2', 'code'],
  ['payload', 'rows'],
])

const CARD_NAME = /card[-_ ]?n(?:um|o)|^pan$/i
const CODE_NAME = /cv[vc2]|csc\b|security[-_ ]?code|card[-_ ]?code|password|secret|(?:control|private|api)[-_ ]?key/i
/** Messages of 3-D Secure. Nothing in them can be masked; a `three-ds` event has what is in them. */
const MESSAGE_NAME = /^(?:creq|cres|pareq|pares|threedsmethoddata|threedssessiondata|md)$/i

const AMPERSAND = 38

/** What `redactSecrets` finds has one of these words and a value. */
const MAY_NAME_SECRET = /cv[vc]|key|password|secret|control|signature/i
const CONTROL = /^[\da-f]{40}$/i

/** How many texts are remembered that hold no secret, and the longest of them. */
const MOST_CLEAN = 200
const LONGEST_CLEAN = 200

/** Takes out of texts what must not be recorded. */
export interface Masking {
  /**
   * A form, as it was sent: what need not be masked stays as it is encoded.
   *
   * @param pairs of the form
   * @param key of its operation, if there is one
   */
  form(form: string, pairs: readonly Pair[], secrets: Secrets, key?: OperationKey): string
  /** Any other text of a merchant, a customer or a bank. */
  text(text: string, secrets: Secrets): string
  /** All texts and their names in a value as JSON has it. */
  json<Value>(value: Value, secrets: Secrets): Value
  /** The path of an address. @param secrets of all merchants */
  path(url: string, secrets: Secrets): string
  /** A header, which many requests have alike. @param secrets of all merchants */
  header(text: string, secrets: Secrets): string
}

/** Keys that a text may hold by mistake, each also as it is written in a form. */
export type Secrets = readonly string[]

export function secretsOf(keys: readonly string[]): Secrets {
  return [...new Set(keys.flatMap((key) => [key, encodeURIComponent(key)]))]
}

/** For a gateway with this profile. */
export function maskingOf({ wireNames }: Profile): Masking {
  const kindsByKey = new Map<OperationKey, ReadonlyMap<string, Kind>>()
  const kindByAnyName = memoize(kindByName)
  const clean = new Set<string>()

  /** Only texts that are shown as they are may be remembered. */
  function usual(text: string, masked: (text: string) => string): string {
    if (clean.has(text)) return text
    const shown = masked(text)
    if (clean.size >= MOST_CLEAN) clean.clear()
    if (shown === text && text.length <= LONGEST_CLEAN) clean.add(text)
    return shown
  }

  function kindsOf(key: OperationKey): ReadonlyMap<string, Kind> {
    const known = kindsByKey.get(key)
    if (known !== undefined) return known
    const { read } = catalogue[key].request.spelling(wireNames)
    const kinds = new Map([...read].map(([wire, name]) => [wire, KINDS.get(name) ?? kindByName(wire)]))
    kindsByKey.set(key, kinds)
    return kinds
  }

  function maskedJson(name: string, value: unknown, secrets: Secrets): unknown {
    if (typeof value === 'string') return maskedValue(name, value, kindByAnyName(name), secrets)
    if (typeof value === 'number') {
      const kind = kindByAnyName(name)
      // Times have thirteen digits, which may look like a card number by chance.
      const masked = kind === 'plain' && value < 1e15 ? '' : maskedValue(name, `${value}`, kind, secrets)
      return masked === '' || masked === `${value}` ? value : masked
    }
    if (Array.isArray(value)) return value.map((each) => maskedJson(name, each, secrets))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, each]) => {
      return [maskedText(key, secrets), maskedJson(key, each, secrets)] as const
    })
    return Object.fromEntries(entries)
  }

  return {
    form: (form, pairs, secrets, key) => {
      const kinds = key && kindsOf(key)
      let masked = ''
      let copied = 0
      let start = 0
      for (const { 0: name, 1: value } of pairs) {
        while (form.charCodeAt(start) === AMPERSAND) start++
        const ampersand = form.indexOf('&', start)
        const end = ampersand < 0 ? form.length : ampersand
        const known = kinds?.get(name)
        const shown = maskedValue(name, value, known ?? kindByAnyName(name), secrets)
        const shownName = known === undefined && name !== 'control' ? maskedText(name, secrets) : name
        if (shown !== value || shownName !== name) {
          masked += `${form.slice(copied, start)}${encodeURIComponent(shownName)}=${encodeURIComponent(shown)}`
          copied = end
        }
        start = end + 1
      }
      return masked + form.slice(copied)
    },
    text: maskedText,
    json: <Value>(value: Value, secrets: Secrets) => maskedJson('', value, secrets) as Value,
    path: (url, secrets) => usual(url, () => maskedText(shownPath(url), secrets)),
    header: (text, secrets) => usual(text, () => maskedText(text, secrets)),
  }
}

function kindByName(name: string): Kind {
  if (CARD_NAME.test(name)) return 'card'
  if (CODE_NAME.test(name)) return 'code'
  return MESSAGE_NAME.test(name) ? 'message' : 'plain'
}

const MASKS: Readonly<Record<Exclude<Kind, 'plain'>, (value: string) => string>> = {
  // As PCI DSS lets it be shown, if it is a card number; anything else in its place may be one that was mistyped.
  card: (value) => (/^\d{12,19}$/.test(value) ? `${value.slice(0, 6)}***${value.slice(-4)}` : '***'),
  code: () => '***',
  rows: (value) => `[${value.trimEnd().split('\n').length} lines]`,
  message: lengthOf,
}

export function lengthOf({ length }: string): string {
  return `[${length} characters]`
}

/** A control is hexadecimal digits, which may look like a card number by chance. */
function maskedValue(name: string, value: string, kind: Kind, secrets: Secrets): string {
  if (value === '') return value
  if (kind !== 'plain') return MASKS[kind](value)
  return name === 'control' && CONTROL.test(value) ? value : maskedText(value, secrets)
}

function maskedText(text: string, secrets: Secrets): string {
  let masked = text
  if (!isPlain(text)) {
    masked = maskCardNumbers(text)
    if (MAY_NAME_SECRET.test(text)) masked = redactSecrets(masked)
  }
  for (const secret of secrets) {
    if (masked.length >= secret.length && masked.includes(secret)) masked = masked.replaceAll(secret, '***')
  }
  return masked
}

const [PERCENT, ZERO, NINE, COLON, EQUALS, BEYOND_ASCII] = [0x25, 0x30, 0x39, 0x3a, 0x3d, 0x80]

/** `cvv=123` */
const FEWEST_OF_SECRET = 7
/** A control alone has 40. */
const LONGEST_PLAIN = 40

/**
 * Whether a text holds nothing that looks like a secret, as most do: neither three digits, nor a sign between a name and a value.
 */
function isPlain(text: string): boolean {
  if (text.length < FEWEST_OF_SECRET) return true
  if (text.length > LONGEST_PLAIN) return false
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === PERCENT || code === COLON || code === EQUALS || code >= BEYOND_ASCII) return false
    if (code >= ZERO && code <= NINE && ++digits === 3) return false
  }
  return true
}

/** Without the query, and without the token of a page: whoever has it can open the page. */
export function shownUrl(url: string): string {
  return url.replace(/\?.*/s, '').replace(/[\w-]{20,}/g, '***')
}
