#!/usr/bin/env node
import { keepInspectorShut, oldNode } from './require-recent-node.ts'

/** The command `tallystick-journal`. Exit code 2 for a wrong command line or an old Node, 1 for a failure. */

keepInspectorShut()
const problem = oldNode(process.versions.node)
if (problem === undefined) await main()
else fail(problem, 2)

async function main(): Promise<void> {
  const [{ readArguments, UsageError }, { run }] = await Promise.all([
    import('../command/arguments.ts'),
    import('../command/run.ts'),
  ])
  try {
    process.stdout.write(await run(readArguments(process.argv.slice(2))))
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), error instanceof UsageError ? 2 : 1)
  }
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`tallystick-journal: ${message}\n`)
  process.exitCode = exitCode
}
