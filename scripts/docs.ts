/**
 * Writes the parts of the documentation that are made from the code: tables of options from the types, the reference from the
 * catalogue, the rules of states; and the journeys, from recordings. The text around them is written by hand.
 *
 *     pnpm docs:write
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pagesWithBlocks } from './docs/blocks.ts'
import { journeyPages } from './docs/journeys.ts'
import { root } from './workspace.ts'

for (const { name, text, wanted } of pagesWithBlocks()) if (wanted !== text) writeFileSync(join(root, name), wanted)
mkdirSync(join(root, 'docs/journeys'), { recursive: true })
for (const [name, text] of await journeyPages()) writeFileSync(join(root, name), text)
