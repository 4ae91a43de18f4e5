import type { SignedWire } from './wire-mutations.ts'

/** What a request says, read by nobody but this function, leniently: two requests that differ in it were not signed as one. */
export function meaningOf({ httpMethod, url, body, authorization }: SignedWire): string {
  const header = Array.from(
    authorization.matchAll(/([^\s,="]+)\s*=\s*"([^"]*)"/g),
    ([, name = '', value = '']) => [name, unescaped(value)] as const,
  )
  const signature = header.find(([name]) => name === 'oauth_signature')?.[1] ?? ''
  const signedHeader = header.filter(([name]) => name !== 'oauth_signature' && name !== 'realm')
  const copies = new Set(signedHeader.map((pair) => JSON.stringify(pair)))
  const sent = pairsOf(body).filter((pair) => !(pair[0].startsWith('oauth_') && copies.has(JSON.stringify(pair))))
  return JSON.stringify([
    httpMethod.toUpperCase(),
    meaningOfUrl(url),
    inOrder(sent),
    inOrder(signedHeader),
    Buffer.from(signature, 'base64').toString('hex'),
  ])
}

/** Scheme, host and port as they count; path as text; query decoded. */
function meaningOfUrl(url: string): unknown {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([a-z]+):\/\/([^/?#]*)([^?#]*)\??([^#]*)/i.exec(url) ?? []
  const port = scheme.toLowerCase() === 'https' ? /:0*443$|:$/ : /:0*80$|:$/
  return [
    scheme.toLowerCase(),
    authority.toLowerCase().replace(port, '').replace(/:0+/, ':'),
    path || '/',
    inOrder(pairsOf(query)),
  ]
}

/** Behind an ampersand, since of a text that begins with a question mark `URLSearchParams` drops that. */
function pairsOf(text: string): (readonly [string, string])[] {
  return [...new URLSearchParams(`&${text}`)]
}

function inOrder(pairs: readonly (readonly string[])[]): string[] {
  return pairs.map((pair) => JSON.stringify(pair)).sort()
}

/** Percent-decoded, or as it is when it cannot be. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
