#!/usr/bin/env node
import { keepInspectorShut, oldNode } from '@tallystick/durable/recent-node'
import { complain } from './read-configuration.ts'

/** The command `tallystick-gateway`. */
keepInspectorShut()
const problem = oldNode(process.versions.node)
if (problem === undefined) {
  const { runCommand } = await import('./run.ts')
  await runCommand(process.argv.slice(2))
} else {
  complain(problem)
  process.exitCode = 2
}
