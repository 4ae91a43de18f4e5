import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../workspace.ts'

const yours = join(root, 'examples', 'yours')

test('examples/yours is what npm create tallystick writes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'yours-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const made = join(folder, 'shop')
  const command = join(root, 'packages', 'create-tallystick', 'dist', 'main.js')
  execFileSync(process.execPath, [command, made, '--framework', 'express', '--database', 'sqlite'])
  for (const file of ['src/main.ts', 'src/shop.ts', 'src/database.ts', 'dev.mjs', 'test/shop.test.mjs']) {
    expect(readFileSync(join(yours, file), 'utf8')).toBe(readFileSync(join(made, file), 'utf8'))
  }
})

test('its own test passes', () => {
  const printed = execFileSync(process.execPath, ['--test', 'test/shop.test.mjs'], { cwd: yours, encoding: 'utf8' })
  expect(printed).toMatch(/pass 2\n/)
})
