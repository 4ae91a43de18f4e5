import type { GatewayRequest } from '@tallystick/gateway'
import type { Pair } from './world.ts'

/** What the page has to show: the cause, or of what has none, words of the advice. */
export type Truth = string | RegExp

/** A request with one mistake. Two that are one request cannot be told apart, whoever looks at it. */
export interface Variant {
  /** Equal of two variants that send the same: with one key, one text has one signature. */
  readonly identity: string
  readonly request: () => GatewayRequest
}

/** A kind of mistake that people make. */
export interface Mistake<Base> {
  readonly name: string
  readonly truth: Truth
  /** Whether the right request was sent before. */
  readonly isRepeat?: true
  /** The ways of making it with this request; none if it cannot be made. */
  readonly variants: (base: Base) => readonly Variant[]
}

/** Encodes all bytes but those kept: byte by byte, so that nothing is shared with the code that is tried. */
export function escaping(keep: RegExp): (text: string) => string {
  const written = Array.from({ length: 256 }, (_, byte) => {
    const character = String.fromCharCode(byte)
    return byte < 128 && keep.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })
  return (text) => {
    let escaped = ''
    for (const byte of Buffer.from(text, 'utf8')) escaped += written[byte]
    return escaped
  }
}

export const rfc3986 = escaping(/[A-Za-z0-9\-._~]/)

export function formOf(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`).join('&')
}

export const ACCEPT = { accept: 'application/vnd.pay+json' }
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export function posted(url: string, headers: GatewayRequest['headers'], body: string): GatewayRequest {
  return {
    method: 'POST',
    url: new URL(url).pathname + new URL(url).search,
    headers: { ...ACCEPT, ...FORM, ...headers },
    body,
  }
}

/** White space that files, editors and forms leave at an end. */
export const STRAY = [' ', '\n', '\r\n', '\t']
