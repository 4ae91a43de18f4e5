import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DATABASES, type Database, FRAMEWORKS, type Framework } from '../src/choices.ts'
import { readArguments } from '../src/run.ts'
import { writeShop } from '../src/write-shop.ts'

const frameworks = Object.keys(FRAMEWORKS) as Framework[]
const databases = Object.keys(DATABASES) as Database[]

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'create-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

function written(framework: Framework, database: Database, name = 'my-shop') {
  const folder = join(parent, name)
  writeShop({ folder, framework, database }, '1.2.3')
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  return { folder, read, manifest: JSON.parse(read('package.json')) }
}

describe.each(frameworks)('a shop on %s', (framework) => {
  test.each(databases)('with %s has everything that its files import, and no template words', (database) => {
    const { read, manifest } = written(framework, database)
    const file = read(`${FRAMEWORKS[framework].shop}/database.ts`)
    const imported = Array.from(file.matchAll(/from '((?:@[^/']+\/)?[^/'.]+)/g), ([, name]) => name)
    const outside = imported.filter((name) => name !== undefined && !name.startsWith('node:'))
    expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining(outside))
    expect(manifest.dependencies['@tallystick/payments'] ?? manifest.dependencies['@tallystick/nest-module']).toBe(
      '^1.2.3',
    )
    expect(manifest.devDependencies['@tallystick/testing']).toBe('^1.2.3')
    expect(JSON.stringify(manifest)).not.toMatch(/"\*"|workspace:/)
    expect(read('README.md')).not.toMatch(/\{\w+\}/)
    expect(read('.gitignore')).toContain('.env')
    expect(read('.env.example')).toContain(database === 'sqlite' ? 'SHOP_DATABASE=' : 'DATABASE_URL=')
  })
})

test('the folder gives the package its name, as npm allows it', () => {
  expect(written('express', 'sqlite', 'My Tea & Co').manifest.name).toBe('my-tea-co')
})

test('a folder that has something in it stays as it is', () => {
  const folder = join(parent, 'full')
  mkdirSync(folder)
  writeFileSync(join(folder, 'mine.txt'), 'mine')
  expect(() => writeShop({ folder, framework: 'express', database: 'sqlite' }, '1.2.3')).toThrow(/has mine\.txt in it/)
  expect(existsSync(join(folder, 'package.json'))).toBe(false)
})

test.each([
  [['--framework', 'rails'], 'there is no framework rails; there are express, nest, fastify, hono, next'],
  [['--database', 'oracle'], 'there is no database oracle; there are sqlite, postgres, mysql'],
  [['one', 'two'], 'two is a second one'],
  [['--frameworks', 'express'], "Unknown option '--frameworks'"],
] as const)('a wrong argument is named: %s', (given, message) => {
  expect(() => readArguments(given)).toThrow(message)
})

test('what is given is not asked for', () => {
  expect(readArguments(['shop', '--framework', 'nest', '--database', 'postgres'])).toEqual({
    folder: 'shop',
    framework: 'nest',
    database: 'postgres',
    yes: false,
    help: false,
    version: false,
  })
})
