import { maskCardNumbers, redactSecrets } from '@tallystick/core'

/**
 * An error as a line of the log. A handler of payments says in `cause` what failed inside; that is for the log alone. A body
 * parser quotes what a stranger sent, which may be a card number.
 */
export function errorLine(error: unknown): string {
  const hasCause = error instanceof Error && error.cause !== undefined
  const text = hasCause ? `${error}, because of ${String(error.cause)}` : String(error)
  return maskCardNumbers(redactSecrets(text))
}
