/**
 * Writes docs/state.md from the rules of core, so that the page and the rules cannot differ: a test compares them.
 *
 *     pnpm docs:state
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { statePage } from './state-docs/state-page.ts'
import { root } from './workspace.ts'

writeFileSync(join(root, 'docs/state.md'), statePage())
