import { inspect } from 'node:util'
import { MalformedFormError, redact } from '@tallystick/core'
import { SigningError } from '@tallystick/signing'
import { UsageError } from '../arguments/parse.ts'
import { run } from '../commands.ts'
import { manifest, system } from './system.ts'

/** Runs the command on this machine. */
export async function main(): Promise<void> {
  process.on('uncaughtException', (error) => {
    system.warn(bugReport(error, system.secrets))
    process.exit(BUG)
  })
  try {
    process.exitCode = await run(process.argv.slice(2), manifest().version, system)
  } catch (error) {
    if (!isMistake(error)) throw error
    system.warn(`tallystick: ${error.message}`)
    process.exitCode = 2
  }
}

/** What the caller can mend: these are raised about what was given, and about nothing else. */
function isMistake(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof SigningError || error instanceof MalformedFormError
}

/** As `sysexits.h` numbers a program that failed on its own (EX_SOFTWARE): nobody takes it for a verdict or a wrong command line. */
export const BUG = 70

/** What to say about an error that nobody foresaw. Somebody will paste it into an issue, so no key and no card is in it. */
export function bugReport(error: unknown, secrets: Iterable<string>, node = process.versions.node): string {
  const { engines } = manifest()
  // Nothing else is known to be wrong: what it lacks is what the error is about.
  if (!isWithin(node, engines.node)) return `tallystick: it needs Node ${engines.node}, and this is ${node}`
  // With its causes.
  const stack = error instanceof Error ? inspect(error) : String(error)
  // The longest first: a shorter one may be a part of it.
  const longestFirst = [...secrets].toSorted((one, other) => other.length - one.length)
  const withoutKeys = longestFirst.reduce((text, secret) => text.replaceAll(secret, '[key]'), stack)
  return `tallystick: this is a bug of tallystick, and no mistake of yours. Please report it with these lines:
${redact(withoutKeys)}`
}

/** @param range such as `^22.19.0 || >=26.0.0`, without any other sign */
function isWithin(version: string, range: string): boolean {
  const [major = 0, minor = 0] = numbersIn(version)
  return range.split('||').some((part) => {
    const [leastMajor = 0, leastMinor = 0] = numbersIn(part)
    return major === leastMajor ? minor >= leastMinor : part.includes('>=') && major > leastMajor
  })
}

function numbersIn(version: string): readonly number[] {
  return Array.from(version.matchAll(/\d+/g), Number)
}
