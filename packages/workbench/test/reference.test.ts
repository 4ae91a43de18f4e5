import { readFileSync } from 'node:fs'
import { operationKeys } from '@tallystick/core'
import { expect, test } from 'vitest'
import { referenceOf } from '../src/draft.ts'

test('[F-E30] the reference of each operation is where the explorer says', () => {
  for (const key of operationKeys) {
    const [file = '', anchor = ''] = referenceOf(key).split('#')
    const headings = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').match(/^## .+$/gm) ?? []
    expect(headings.map((heading) => heading.slice(3).toLowerCase())).toContain(anchor)
  }
})
