/**
 * Writes the option tables in the packages' READMEs, and in their pages of the docs, from the interfaces and their doc comments,
 * so that the two cannot differ: a test compares them.
 *
 *     pnpm docs:options
 */
import { writeFileSync } from 'node:fs'
import { readmes } from './options/readme-tables.ts'

for (const { path, text, wanted } of readmes()) if (wanted !== text) writeFileSync(path, wanted)
