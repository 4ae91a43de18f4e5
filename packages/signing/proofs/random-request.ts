import type { Random } from '@tallystick/proof-kit'

/** A request in the form in which it goes over the wire, with what is needed to sign it. Plain data, for any language. */
export type WireRequest = {
  readonly httpMethod: string
  readonly url: string
  readonly body: string
  readonly consumerKey: string
  readonly nonce: string
  readonly timestamp: number
  readonly secret: string
  readonly method: 'HMAC-SHA1' | 'RSA-SHA256'
  readonly terms: readonly string[]
  readonly controlKey: string
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~'
const RESERVED = '!*\'();:@&=+$,/?#[]%"<>\\^`{|} '
const UNICODE = 'éßñ€Ωжあ漢字😀🏴́\u00a0\u2028\ufeff\u0000\n\t\u007f\ud7ff\ue000\uffff'
const PATH = "abcXYZ019-._~!$&'()*+,=:@"

/** Any text: letters, what is reserved, what is not ASCII, or nothing. */
export function anyText(random: Random, maxLength: number): string {
  const alphabet = random.pick([LETTERS, LETTERS, RESERVED, UNICODE, LETTERS + RESERVED + UNICODE])
  return random.text(random.below(maxLength + 1), alphabet)
}

/** A request with odd URLs, repeated and empty names, and now and then a very long body. */
export function anyWireRequest(random: Random, isRsa = false): WireRequest {
  return {
    httpMethod: random.pick(['POST', 'POST', 'post', 'GET', 'Put']),
    url: anyUrl(random),
    body: anyForm(random, random.below(50) === 0 ? 200 : 12, random.below(200) === 0 ? 4000 : 20),
    consumerKey: anyPlain(random, 12),
    nonce: anyPlain(random, 30),
    timestamp: 1_000_000_000 + random.below(1_000_000_000),
    secret: anyPlain(random, 40),
    method: isRsa ? 'RSA-SHA256' : 'HMAC-SHA1',
    terms: Array.from({ length: random.below(7) }, () => anyText(random, 12)),
    controlKey: anyPlain(random, 36),
  }
}

/** A text with at least one character and no control character. */
function anyPlain(random: Random, maxLength: number): string {
  return `${random.pick(Array.from(LETTERS))}${anyText(random, maxLength)}`.replace(/\p{Cc}/gu, '.')
}

function anyUrl(random: Random): string {
  const scheme = random.pick(['https', 'http', 'HTTPS', 'Http'])
  const host = random.pick([
    'gate.example.com',
    'GATE.Example.COM',
    '127.0.0.1',
    'localhost',
    'xn--80ak6aa92e.com',
    '[2001:db8::1]',
  ])
  const port = random.pick(['', '', ':443', ':80', ':8443', ':1', ':65535', ':'])
  const query = random.pick(['', '', '?', `?${anyForm(random, 4, 12)}`])
  return `${scheme}://${host}${port}${anyPath(random)}${query}`
}

function anyPath(random: Random): string {
  const segment = () =>
    random.text(random.below(6), PATH) + random.pick(['', '', '%20', '%7E', '%c3%a9', '%2F', '.', '..'])
  return Array.from({ length: random.below(5) }, () => `/${segment()}`).join('')
}

/** Form-encoded pairs, spelled in any of the ways that mean the same. */
function anyForm(random: Random, maxPairs: number, maxLength: number): string {
  const names = Array.from({ length: 4 }, () => anyName(random))
  const pairs = Array.from({ length: random.below(maxPairs + 1) }, () => {
    const name = random.below(3) === 0 ? random.pick(names) : anyName(random)
    const value = anyText(random, maxLength)
    const isBare = value === '' && name !== '' && random.below(2) === 0
    return isBare ? encoded(random, name) : `${encoded(random, name)}=${encoded(random, value)}`
  })
  return pairs.join(random.below(20) === 0 ? '&&' : '&')
}

function anyName(random: Random): string {
  const name = anyText(random, 8)
  return name.startsWith('oauth_') ? '' : name
}

/** Bytes as they are, escaped in either case, or a space as +. Never what would end the name or the value. */
function encoded(random: Random, text: string): string {
  const style = random.below(4)
  return Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte)
    if (character === ' ' && style > 1) return '+'
    const isLeftAlone = style > 0 ? /[A-Za-z0-9\-._~]/ : /[A-Za-z0-9\-._~!*'():@$,/?]/
    if (isLeftAlone.test(character)) return character
    const escaped = `%${byte.toString(16).padStart(2, '0')}`
    return style === 3 ? escaped : escaped.toUpperCase()
  }).join('')
}
