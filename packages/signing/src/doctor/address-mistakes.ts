import { percentDecode } from '../oauth/percent.ts'
import { readRequestUrl } from '../oauth/request-url.ts'
import type { RecipeMistake } from './recipe.ts'

/** What can go wrong with the HTTP method and the URL. */
export type AddressCause =
  | 'default-port-kept'
  | 'host-not-in-lower-case'
  | 'query-kept-in-url'
  | 'wrong-host-or-scheme'
  | 'wrong-http-method'
  | 'wrong-path'

const ORIGIN = /(https?:\/\/)([^/]+)/
const DEFAULT_PORTS = { 'http://': ':80', 'https://': ':443' } as const

/** Mistakes of the first two parts of a base string. */
export const ADDRESS_MISTAKES: readonly RecipeMistake<AddressCause>[] = [
  {
    cause: 'wrong-http-method',
    advice: 'the first part of what is signed is the HTTP method of the request, in upper case: POST',
    changes: (_recipe, { httpMethod }) =>
      [httpMethod, httpMethod.toLowerCase(), 'GET', 'POST', 'PUT', ''].map((method) => ({ httpMethod: method })),
  },
  {
    cause: 'default-port-kept',
    advice: 'leave the port out of the URL that is signed when it is the default of the scheme (80, 443)',
    changes: ({ uri }) =>
      uris([uri.replace(ORIGIN, (origin, scheme: keyof typeof DEFAULT_PORTS) => origin + DEFAULT_PORTS[scheme])]),
  },
  {
    cause: 'host-not-in-lower-case',
    advice: 'write scheme and host of the URL that is signed in lower case',
    changes: ({ uri }, { url, otherUrls = [] }) => uris([url, ...otherUrls].flatMap((other) => asWritten(other, uri))),
  },
  {
    cause: 'wrong-host-or-scheme',
    advice:
      'sign the public URL that the request was sent to: not that behind a proxy, nor that of another environment',
    changes: ({ uri }, { otherUrls = [] }) =>
      uris([otherScheme(uri), ...otherUrls.flatMap((other) => elsewhere(other, uri))]),
  },
  {
    cause: 'wrong-path',
    advice: 'sign the path exactly as it is sent: a slash at the end counts, and percent escapes stay',
    changes: ({ uri }) => uris([uri.endsWith('/') ? uri.slice(0, -1) : `${uri}/`, percentDecode(uri) ?? uri]),
  },
  {
    cause: 'query-kept-in-url',
    advice: 'take the query out of the URL that is signed: its parameters are signed with those of the body',
    changes: ({ uri }, { url }) => {
      const withQuery = { uri: `${uri}${/\?[^#]*/.exec(url)?.[0] ?? ''}` }
      return [withQuery, { ...withQuery, query: [] }]
    },
  },
]

function uris(candidates: readonly string[]): { readonly uri: string }[] {
  return candidates.map((uri) => ({ uri }))
}

/** The URL with scheme and host spelled as configured, if that is not in lower case: otherwise the host is just another. */
function asWritten(url: string, uri: string): string[] {
  const origin = /^https?:\/\/[^/:?#]+/i.exec(url)?.[0]
  return origin === undefined || !/[A-Z]/.test(origin) ? [] : [uri.replace(/https?:\/\/[^/:]+/, origin)]
}

function otherScheme(uri: string): string {
  return uri.startsWith('https:') ? uri.replace('https:', 'http:') : uri.replace('http:', 'https:')
}

/** The other URL itself, and its origin with our path. */
function elsewhere(url: string, uri: string): string[] {
  const other = readRequestUrl(url)
  if (!other.ok) return []
  const theirs = other.baseStringUri
  const path = uri.replace(ORIGIN, '')
  return [theirs, theirs.slice(0, theirs.length - theirs.replace(ORIGIN, '').length) + path]
}
