/** What a sandbox said: its HTTP status, the JSON that it answered with, and what it says is wrong. */
export interface Said {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly error: string | undefined
}

/** The port of a sandbox. */
export interface SandboxPort {
  /** Scheme, host and port. */
  readonly origin: string
  /** Has to be sent if the gateway runs as a process of its own. */
  readonly operatorKey: string | undefined
}

/**
 * Sends a request of the sandbox: a POST with this body as JSON, or a GET without one.
 *
 * @throws Error if no sandbox answers, or if it fails
 */
export async function askSandbox({ origin, operatorKey }: SandboxPort, path: string, sent?: object): Promise<Said> {
  const request = sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) }
  const admission = operatorKey === undefined ? {} : { authorization: `Bearer ${operatorKey}` }
  const options = { redirect: 'manual', headers: { ...ONCE, ...admission }, ...request } as const
  const reply = await fetch(`${origin}/__sandbox${path}`, options).catch((cause: Error) => {
    throw new Error(`No sandbox answers at ${origin}: ${reasonOf(cause)}. ${WHERE}`, { cause })
  })
  const { status, statusText } = reply
  const body = objectIn(await reply.text())
  const error = typeof body?.['error'] === 'string' ? body['error'] : undefined
  if (body === undefined || (status !== 200 && error === undefined))
    throw new Error(`What answers at ${origin} is no sandbox: ${status} ${statusText}. ${WHERE}`)
  if (status >= 500) throw new Error(`The sandbox failed at ${path}: ${error}`)
  return { status, body, error }
}

/** A second request of a connection would wait for `setImmediate`, which a test may have faked. */
const ONCE = { connection: 'close' }

/** @throws TypeError with what the sandbox says is wrong with the request */
export function requireDone({ status, body, error }: Said): Said['body'] {
  if (status === 200) return body
  if (status === 401)
    throw new TypeError(
      'The sandbox wants the operator key of its gateway: give operatorKey, or set TALLYSTICK_OPERATOR_KEY',
    )
  throw new TypeError(`The sandbox refused it: ${error}`)
}

const WHERE =
  'Run tallystick-gateway with --sandbox, and give the address of its port for tests, which its log names in the line "listening".'

/**
 * `fetch` only says that it failed. Its cause has the reason or, if several addresses were tried, its code alone. OpenSSL's own
 * reasons are lines of its source.
 */
function reasonOf({ message, cause }: Error): string {
  const { message: reason, code } = (cause ?? {}) as { readonly message?: string; readonly code?: string }
  return (code?.startsWith('ERR_SSL_') ? code : reason) || code || message
}

function objectIn(text: string): Said['body'] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Said['body']) : undefined
  } catch {
    return undefined
  }
}
