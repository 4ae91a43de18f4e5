import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { cards } from '@tallystick/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { expectClean } from './support/expect-clean.ts'
import { madeValues } from './support/made-values.ts'
import { innocentIn, MADE_IN_TEXT, type Secret } from './support/secret-scan.ts'
import { type Cell, linesOf, sqliteCells } from './support/stored-cells.ts'

const folder = mkdtempSync(join(tmpdir(), 'canary-shops-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The shop on Nest runs on the build, as by `npm start`: Node runs no decorators, which are in the sources. */
const SHOPS = { 'express-shop': ['--conditions=@tallystick/source'], 'nest-shop': [] }
const EXAMPLES = new URL('../../../examples/', import.meta.url).pathname
const numbers = [...new Set(Object.values(cards).map(({ cardNumber }) => cardNumber))]
const secrets: readonly Secret[] = numbers.map((number) => ({ name: `PAN ${number}`, bytes: Buffer.from(number) }))

describe.each(Object.entries(SHOPS))('[S2-04] the example %s', (shop, conditions) => {
  test('prints and stores no card number, nor does its gateway, and prints the password of its back office once', {
    timeout: 120_000,
  }, async () => {
    const data = join(folder, shop)
    const args = [...conditions, '--no-warnings', join(EXAMPLES, shop, 'src/main.ts'), '--once', '--data', data]

    const child = spawn(process.execPath, args, {
      env: { ...process.env, BACK_OFFICE_PASSWORD: '', NODE_COMPILE_CACHE: join(folder, 'compiled') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    expect([code, stderr]).toEqual([0, ''])
    const [, password = ''] = /\/back-office, user staff, password ([\w-]{22})\n/.exec(stdout) ?? []
    expect(stdout.split(password)).toHaveLength(2)
    const files = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.db'))
    expect(files.length).toBeGreaterThan(1)
    const cells = files.flatMap((name): readonly Cell[] => sqliteCells(join(data, name)))
    const innocent = [...madeValues(cells), ...MADE_IN_TEXT, ...innocentIn([stdout])]
    const channels = [
      { name: 'stdout', bytes: Buffer.from(stdout) },
      { name: 'values', bytes: linesOf(cells) },
      ...files.map((name) => ({ name, bytes: readFileSync(join(data, name)) })),
    ]
    expectClean(
      channels.map((channel) => ({ ...channel, innocent })),
      secrets,
    )
  })
})
