import { closeSync, copyFileSync, linkSync, openSync, renameSync, symlinkSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeUnlessLeft, fileInPlace, identityOf, leaveOpen, noOtherLibrary } from '../src/file-guard.ts'
import { setDurable } from '../src/sqlite.ts'
import { ownFile } from './folder.ts'

function openDatabase(file: string, mode = 'normal'): void {
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  database.exec(`pragma locking_mode = ${mode}`)
  setDurable(database)
  database.exec('create table if not exists orders (id text)')
}

// On Windows an open file cannot be removed or replaced.
describe.skipIf(process.platform === 'win32')('A file that is open', () => {
  const gone = (name: string) => new Error(`gone: ${name}`)

  test.for(['', '-wal'])('is missed while its name%s leads nowhere or elsewhere', (suffix) => {
    const file = ownFile()
    openDatabase(file)
    const requireInPlace = fileInPlace(file, gone)
    const name = `${file}${suffix}`
    expect(requireInPlace).not.toThrow()
    renameSync(name, `${name}.away`)
    expect(requireInPlace).toThrow(`gone: ${name}`)
    copyFileSync(`${name}.away`, name)
    expect(requireInPlace).toThrow(`gone: ${name}`)
    renameSync(`${name}.away`, name)
    expect(requireInPlace).not.toThrow()
  })

  test('is not missed if it was not there at the beginning', () => {
    const file = ownFile()
    const requireInPlace = fileInPlace(file, gone)
    openDatabase(file)
    expect(requireInPlace).not.toThrow()
  })

  test('is the same by every name that leads to it, and no other', () => {
    const file = ownFile()
    openDatabase(file)
    symlinkSync(file, `${file}.symbolic`)
    linkSync(file, `${file}.hard`)
    const own = identityOf(file)
    expect(own).toMatch(/^\d+:\d+$/)
    expect([identityOf(`${file}.symbolic`), identityOf(`${file}.hard`)]).toEqual([own, own])
    expect(identityOf(`${file}-wal`)).not.toBe(own)
    expect(identityOf(`${file}.none`)).toBeUndefined()
  })
})

// A descriptor of the shared memory is all that is to be seen of another library.
describe.runIf(process.platform === 'linux')('Another SQLite library of this process', () => {
  function watched(own: 0 | 1) {
    const file = ownFile()
    openDatabase(file, own === 0 ? 'exclusive' : 'normal')
    const time = { now: 0, tick: 0, version: 0 }
    const now = () => {
      time.now += time.tick
      return time.now
    }
    const failure = (message: string) => new Error(`refused: ${message}`)
    const check = noOtherLibrary({ file, own, now, version: () => time.version }, failure)
    const openElsewhere = (name = file) => {
      const descriptor = openSync(`${name}-shm`, 'a')
      onTestFinished(() => closeSync(descriptor))
    }
    return { file, time, check, openElsewhere, refusal: `refused: ${file} is also open in another SQLite library` }
  }

  test('is found by the second descriptor, since all connections of our own share one', () => {
    const { file, check, openElsewhere, refusal } = watched(1)
    openDatabase(file)
    expect(check).not.toThrow()
    openElsewhere()
    expect(check).toThrow(refusal)
  })

  test('is found by the first descriptor if we hold the file for ourselves, since then we have none', () => {
    const { time, check, openElsewhere, refusal } = watched(0)
    expect(check).not.toThrow()
    openElsewhere()
    time.now = 1
    expect(check).toThrow(refusal)
  })

  test('is found if it opens the file by another name', () => {
    const { file, check, openElsewhere, refusal } = watched(1)
    linkSync(file, `${file}.hard`)
    const descriptor = openSync(`${file}.hard`, 'r')
    onTestFinished(() => closeSync(descriptor))
    openElsewhere(`${file}.hard`)
    openElsewhere(`${file}.hard`)
    expect(check).toThrow(refusal)
  })

  test('is looked for a fiftieth of the time, and at once if others have written to the file', () => {
    const { time, check, openElsewhere, refusal } = watched(1)
    time.tick = 2
    // From 2 to 4 ms: not again until 2 ms are a fiftieth of the time since.
    check()
    openElsewhere()
    time.tick = 0
    time.now = 103
    expect(check).not.toThrow()
    time.version = 1
    expect(check).toThrow(refusal)
    time.version = 0
    expect(check).not.toThrow()
    time.now = 104
    expect(check).toThrow(refusal)
  })
})

test('A database that is left open is not closed any more', () => {
  const closed: string[] = []
  const [left, other] = ['left', 'other'].map((name) => ({ close: () => void closed.push(name) }))
  if (left === undefined || other === undefined) throw new Error('two were made')
  leaveOpen(left)
  closeUnlessLeft(left)
  closeUnlessLeft(other)
  expect(closed).toEqual(['other'])
})
