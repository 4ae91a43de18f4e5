#!/usr/bin/env node
import { MalformedFormError } from '@tallystick/core'
import { run } from '../commands.ts'
import { UsageError } from '../usage-error.ts'
import { system, version } from './system.ts'

/** The command `tallystick`. */

try {
  process.exitCode = await run(process.argv.slice(2), version(), system)
} catch (error) {
  if (!isMistake(error)) throw error
  system.warn(`tallystick: ${error.message}`)
  process.exitCode = 2
}

/** What the caller can mend. */
function isMistake(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof TypeError || error instanceof MalformedFormError
}
