import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { statePage } from '../state-docs/state-page.ts'
import { root } from '../workspace.ts'

test('docs/state.md is what the rules say (rewrite it with `pnpm docs:state`)', () => {
  expect(readFileSync(join(root, 'docs/state.md'), 'utf8')).toBe(statePage())
})
