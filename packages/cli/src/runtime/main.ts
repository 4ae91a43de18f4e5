#!/usr/bin/env node
import { keepInspectorShut, oldNode } from '@tallystick/durable/recent-node'

/** The command `tallystick`. */

keepInspectorShut()
const problem = oldNode(process.versions.node)
if (problem === undefined) {
  const { main } = await import('./run.ts')
  await main()
} else {
  process.stderr.write(`tallystick: ${problem}\n`)
  process.exitCode = 2
}
