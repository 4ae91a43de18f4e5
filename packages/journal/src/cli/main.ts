#!/usr/bin/env node
import { keepInspectorShut, oldNode } from '@tallystick/durable/recent-node'
import type { Terminal } from './settle.ts'

/** The command `tallystick-journal`. Exit code 2 for a wrong command line or an old Node, 1 for a failure. */

keepInspectorShut()
const problem = oldNode(process.versions.node)
if (problem === undefined) await main()
else fail(problem, 2)

async function main(): Promise<void> {
  const [{ readArguments, UsageError }, { run }] = await Promise.all([import('./arguments.ts'), import('./run.ts')])
  try {
    process.stdout.write(await run(readArguments(process.argv.slice(2), process.env), terminal()))
  } catch (error) {
    fail(messageOf(error), error instanceof UsageError ? 2 : 1)
  }
}

/** Of a host with several addresses, Node's error has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Asks only if somebody sits there who sees the question. */
function terminal(): Terminal {
  return process.stdin.isTTY && process.stderr.isTTY ? { confirm } : {}
}

/** Whoever ends the input instead of answering, by Ctrl-C or Ctrl-D, has not confirmed. */
async function confirm(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline')
  const asked = createInterface({ input: process.stdin, output: process.stderr })
  return await new Promise((resolve) => {
    asked.once('close', () => resolve(false))
    asked.question(`${question} (yes or no) `, (answer) => {
      resolve(answer.trim().toLowerCase() === 'yes')
      asked.close()
    })
  })
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`tallystick-journal: ${message}\n`)
  process.exitCode = exitCode
}
