/**
 * Writes the parts of the documentation that are made from the code: tables of options from the types, the reference from the
 * catalogue, the rules of states. The text around them is written by hand.
 *
 *     pnpm docs:write
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pagesWithBlocks } from './docs/blocks.ts'
import { root } from './workspace.ts'

for (const { name, text, wanted } of pagesWithBlocks()) if (wanted !== text) writeFileSync(join(root, name), wanted)
