import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDurableFile } from '../../src/cli/key-files.ts'

const home = mkdtempSync(join(tmpdir(), 'durable-file-'))
afterAll(() => rmSync(home, { recursive: true }))

const folder = () => mkdtempSync(join(home, 'f-'))

test('a durable file is made whole, for its owner alone, and nothing is left beside it', () => {
  const where = folder()
  makeDurableFile(join(where, 'vault.keys'), () => 'a text')
  expect(readdirSync(where)).toEqual(['vault.keys'])
  expect(readFileSync(join(where, 'vault.keys'), 'utf8')).toBe('a text')
  if (process.platform !== 'win32') expect(statSync(join(where, 'vault.keys')).mode & 0o777).toBe(0o600)
})

test('an existing file stays, even one that another process makes at that moment', () => {
  const where = folder()
  const file = join(where, 'vault.keys')
  makeDurableFile(file, () => {
    writeFileSync(file, 'quicker')
    return 'slower'
  })
  makeDurableFile(file, () => {
    throw new Error('nobody asks for a text')
  })
  expect([readdirSync(where), readFileSync(file, 'utf8')]).toEqual([['vault.keys'], 'quicker'])
})

test('a file that cannot be made leaves nothing behind, and says why', () => {
  const where = folder()
  expect(() => makeDurableFile(join(where, 'none', 'vault.keys'), () => 'a text')).toThrow('ENOENT')
  expect(readdirSync(where)).toEqual([])
})

test('[F-B10] a draft that somebody has laid out under a name that can be guessed is not written to', () => {
  const where = folder()
  const file = join(where, 'vault.keys')
  const trap = join(where, 'trap')
  for (const guess of [`${file}.new`, `${file}.${process.pid}.new`]) symlinkSync(trap, guess)
  makeDurableFile(file, () => 'a text')
  expect([existsSync(trap), readFileSync(file, 'utf8'), lstatSync(file).isSymbolicLink()]).toEqual([
    false,
    'a text',
    false,
  ])
})
