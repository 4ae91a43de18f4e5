#!/usr/bin/env node
import { complain } from './complain.ts'
import { keepInspectorShut, oldNode } from './require-recent-node.ts'

/** The command `tallystick-gateway`. */
keepInspectorShut()
const problem = oldNode(process.versions.node)
if (problem === undefined) {
  const { runCommand } = await import('./run-command.ts')
  await runCommand(process.argv.slice(2))
} else {
  complain(problem)
  process.exitCode = 2
}
