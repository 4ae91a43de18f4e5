import { closeSync, openSync, writeSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { logOutput } from '../../src/rims/log-output.ts'

/** A disk with room for this many bytes, until the test makes more. */
function disk(room: number) {
  const space = { room, text: '', told: [] as string[] }
  const output = logOutput(
    (reason) => void space.told.push(reason),
    (bytes) => {
      const taken = Math.min(bytes.length, space.room)
      if (taken === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      space.room -= taken
      space.text += Buffer.from(bytes.subarray(0, taken)).toString()
      return taken
    },
  )
  return { space, output }
}

describe('the output of the log', () => {
  test('loses lines while the disk is full, says why once, and goes on when there is room again', () => {
    const { space, output } = disk(6)
    for (const line of ['one\n', 'two\n', 'three\n']) output.write(line)
    expect(space).toMatchObject({ text: 'one\ntw', told: ['ENOSPC'] })
    space.room = 10
    output.write('four\n')
    output.write('five\n')
    expect(space).toMatchObject({ text: 'one\ntw\nfour\nfive', told: ['ENOSPC', 'ENOSPC'] })
    space.room = 100
    output.write('six\n')
    expect(space.text).toBe('one\ntw\nfour\nfive\nsix\n')
  })

  test('adds no line break if the last line was written whole', () => {
    const { space, output } = disk(4)
    for (const line of ['one\n', 'two\n']) output.write(line)
    space.room = 100
    output.write('six\n')
    expect(space.text).toBe('one\nsix\n')
  })

  test('waits for a reader that does not keep up', () => {
    const reads = ['EAGAIN', 'EAGAIN', undefined]
    const told: string[] = []
    const output = logOutput(
      (reason) => void told.push(reason),
      (bytes) => {
        const code = reads.shift()
        if (code !== undefined) throw Object.assign(new Error('busy'), { code })
        return bytes.length
      },
    )
    output.write('line\n')
    expect({ told, reads }).toEqual({ told: [], reads: [] })
  })

  test.runIf(process.platform === 'linux')('tolerates a device that is full', () => {
    const full = openSync('/dev/full', 'w')
    const told: string[] = []
    const output = logOutput(
      (reason) => void told.push(reason),
      (bytes) => writeSync(full, bytes),
    )
    output.write('line\n')
    closeSync(full)
    expect(told).toEqual(['ENOSPC'])
  })
})
