#!/usr/bin/env node
import { readArguments, UsageError } from '../command/arguments.ts'
import { run } from '../command/run.ts'

/** The command `tallystick-journal`. Exit code 2 for a wrong command line, 1 for a failure. */

try {
  process.stdout.write(await run(readArguments(process.argv.slice(2))))
} catch (error) {
  process.stderr.write(`tallystick-journal: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
