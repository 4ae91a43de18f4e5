import { redact } from '@tallystick/core'

/**
 * An error as a log line. The payment handlers put into `cause` what failed inside, which belongs only in the log. Card numbers
 * are masked, because a body parser quotes what a stranger sent.
 */
export function errorLine(error: unknown): string {
  const hasCause = error instanceof Error && error.cause !== undefined
  const text = hasCause ? `${error}, because of ${String(error.cause)}` : String(error)
  return redact(text)
}
