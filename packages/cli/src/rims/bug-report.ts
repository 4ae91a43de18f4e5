import { inspect } from 'node:util'
import { maskCardNumbers, redactSecrets } from '@tallystick/core'

/** As `sysexits.h` numbers a program that failed on its own (EX_SOFTWARE): nobody takes it for a verdict or a wrong command line. */
export const BUG = 70

/** What to say about an error that nobody foresaw. Somebody will paste it into an issue, so no key and no card is in it. */
export function bugReport(error: unknown, secrets: Iterable<string>): string {
  // With its causes.
  const stack = error instanceof Error ? inspect(error) : String(error)
  // The longest first: a shorter one may be a part of it.
  const longestFirst = [...secrets].toSorted((one, other) => other.length - one.length)
  const withoutKeys = longestFirst.reduce((text, secret) => text.replaceAll(secret, '[key]'), stack)
  return `tallystick: this is a bug of tallystick, and no mistake of yours. Please report it with these lines:
${redactSecrets(maskCardNumbers(withoutKeys))}`
}
