import type { RecordedEvent } from '@tallystick/core'

type Request = Extract<RecordedEvent, { readonly type: 'request' }>

/**
 * A request as a command for a POSIX shell. What was masked in the recording is masked in it: card numbers and secrets have to be
 * put in, and the request signed again.
 *
 * @param origin scheme, host and port of the gateway
 */
export function curlOf({ method, path, headers, form }: Request, origin: string): string {
  const parts = [`curl -X ${quoted(method)} ${quoted(origin + path)}`]
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'user-agent') parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  }
  if (form !== undefined && form !== '') parts.push(`-d ${quoted(form)}`)
  return parts.join(' \\\n  ')
}

/** Between two apostrophes a shell leaves everything alone but an apostrophe. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
