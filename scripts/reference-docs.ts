/**
 * Writes docs/reference from the catalogue of core, so that the pages and the catalogue cannot differ: a test compares them.
 *
 *     pnpm docs:reference
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { referencePages } from './reference-docs/reference-pages.ts'
import { root } from './workspace.ts'

for (const [file, text] of referencePages()) writeFileSync(join(root, 'docs/reference', file), text)
