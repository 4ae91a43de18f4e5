import { MalformedFormError } from '@tallystick/core'
import { SigningError } from '@tallystick/signing'
import { run } from '../commands.ts'
import { UsageError } from '../usage-error.ts'
import { BUG, bugReport } from './bug-report.ts'
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
