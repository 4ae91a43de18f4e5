import { catalogue, type OperationKey, redact } from '@tallystick/core'
import type { SignedRequest } from './signed-request.ts'

const KEY = '[control key]'

/** What was signed, for a person who compares it with another program's. Shows no key and no card. */
export function shownForPeople(key: OperationKey, signed: SignedRequest): string {
  const { name, path } = catalogue[key]
  return signed.scheme === 'control'
    ? `${name} (${path}): the control is the SHA-1 of these texts, one after the other\n\n${controlShown(signed)}`
    : `${name} (${path}): OAuth 1.0a by ${signed.scheme}\n\n${oauthShown(signed)}`
}

function controlShown({ terms, control }: SignedRequest & { readonly scheme: 'control' }): string {
  const width = Math.max(...terms.map(([name]) => name.length))
  const rows = terms.map(([name, text]) => `  ${name.padEnd(width)}  ${text === '' ? '(empty)' : text}`)
  const text = terms.map(([, each]) => each).join('') + KEY
  return `${rows.join('\n')}\n  ${'key'.padEnd(width)}  ${KEY}\n\ntext     ${text}\ncontrol  ${control}\n`
}

function oauthShown({ baseString, authorization }: Exclude<SignedRequest, { readonly scheme: 'control' }>): string {
  return `base string\n  ${redact(baseString)}\n\nAuthorization: ${authorization}\n`
}

/** A command for a POSIX shell that sends the request. It has the card, if the request has one. */
export function asCurl({ url, body, ...signed }: SignedRequest): string {
  const authorization = 'authorization' in signed ? [`Authorization: ${signed.authorization}`] : []
  const headers = ['Accept: application/vnd.pay+json', ...authorization]
  return [
    `curl ${quoted(url)}`,
    ...headers.map((header) => `  --header ${quoted(header)}`),
    `  --data ${quoted(body)}\n`,
  ].join(' \\\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
