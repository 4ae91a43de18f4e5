import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../src/index.ts'

describe('findChromium', () => {
  let folder: string
  let path: string
  const installed = (place: string, name: string) => join(folder, place, name)
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'chromium-'))
    path = ['first', '', 'second'].map((place) => place && join(folder, place)).join(delimiter)
    for (const [place, name] of [
      ['first', 'chromium'],
      ['second', 'chromium-headless-shell'],
    ] as const) {
      mkdirSync(join(folder, place))
      writeFileSync(installed(place, name), '')
      chmodSync(installed(place, name), 0o755)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('finds the one without windows, wherever it is', () => {
    expect(findChromium({ PATH: path })).toBe(installed('second', 'chromium-headless-shell'))
  })

  test('otherwise finds the first one', () => {
    expect(findChromium({ PATH: join(folder, 'first') })).toBe(installed('first', 'chromium'))
  })

  test('gives the one that CHROMIUM names, and none if it is empty', () => {
    expect(findChromium({ PATH: path, CHROMIUM: '/opt/chrome' })).toBe('/opt/chrome')
    expect(findChromium({ PATH: path, CHROMIUM: '' })).toBeUndefined()
  })
})
