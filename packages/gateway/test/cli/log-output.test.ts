import { closeSync, openSync, writeSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { logOutput, READER_STANDS_STILL } from '../../src/cli/log-output.ts'

/** A disk or a reader with room for this many bytes, until the test makes more. */
function destination(room: number, code: string) {
  const seen = { room, text: '', told: [] as string[], lost: 0 }
  const later: (() => void)[] = []
  const output = logOutput({
    tell: (reason) => void seen.told.push(reason),
    onLost: () => seen.lost++,
    lostLine: (lost) => `lost ${lost}\n`,
    later: (flush) => void later.push(flush),
    take: (bytes) => {
      const taken = Math.min(bytes.length, seen.room)
      if (taken === 0) throw Object.assign(new Error('no room'), { code })
      seen.room -= taken
      seen.text += Buffer.from(bytes.subarray(0, taken)).toString()
      return taken
    },
  })
  const read = (room: number) => {
    seen.room = room
    for (const flush of later.splice(0)) flush()
  }
  return { seen, output, read }
}

describe('the output of the log', () => {
  test('loses lines while the disk is full, says why once, and goes on with their number when there is room again', () => {
    const { seen, output } = destination(6, 'ENOSPC')
    for (const line of ['one\n', 'two\n', 'three\n']) output.write(line)
    expect(seen).toMatchObject({ text: 'one\ntw', told: ['ENOSPC'], lost: 2 })
    seen.room = 15
    output.write('four\n')
    output.write('five\n')
    expect(seen).toMatchObject({ text: 'one\ntw\nlost 2\nfour\nfi', told: ['ENOSPC', 'ENOSPC'], lost: 3 })
    seen.room = 100
    output.write('six\n')
    expect(seen.text).toBe('one\ntw\nlost 2\nfour\nfi\nlost 1\nsix\n')
  })

  test('counts no line twice if the disk is still full when it says how many were lost', () => {
    const { seen, output } = destination(0, 'ENOSPC')
    for (const line of ['one\n', 'two\n', 'three\n']) output.write(line)
    seen.room = 100
    output.write('four\n')
    expect(seen).toMatchObject({ text: 'lost 3\nfour\n', told: ['ENOSPC'], lost: 3 })
  })

  test('waits for a reader that does not keep up, without making its writer wait', () => {
    const { seen, output, read } = destination(2, 'EAGAIN')
    output.write('one\n')
    output.write('two\n')
    expect(seen).toMatchObject({ text: 'on', lost: 0 })
    read(3)
    expect(seen.text).toBe('one\nt')
    read(100)
    output.write('three\n')
    expect(seen).toMatchObject({ text: 'one\ntwo\nthree\n', told: [], lost: 0 })
  })

  test('drops and counts what comes while its reader stands still, and says so as soon as it reads again', () => {
    const { seen, output, read } = destination(0, 'EAGAIN')
    const line = `${'x'.repeat(1023)}\n`
    for (let at = 0; at < 3000; at++) output.write(line)
    expect(seen).toMatchObject({ text: '', told: [READER_STANDS_STILL], lost: 3000 - 1024 })
    read(10_000_000)
    expect(seen.text).toBe(`${line.repeat(1024)}lost 1976\n`)
    output.write('next\n')
    expect(seen.text.endsWith('lost 1976\nnext\n')).toBe(true)
  })

  test.runIf(process.platform === 'linux')('tolerates a device that is full', () => {
    const full = openSync('/dev/full', 'w')
    const told: string[] = []
    const output = logOutput({
      tell: (reason) => void told.push(reason),
      onLost: () => {},
      lostLine: () => '',
      later: () => {},
      take: (bytes) => writeSync(full, bytes),
    })
    output.write('line\n')
    closeSync(full)
    expect(told).toEqual(['ENOSPC'])
  })
})
