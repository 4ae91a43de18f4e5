import { expect, test } from 'vitest'
import { citedIn, judgeCitations } from '../citations.ts'
import type { Requirement } from '../requirements.ts'

/** Built from parts, so that this file itself cites nothing. */
const cite = (id: string) => `[${id}]`

test('finds every id in the title of a test', () => {
  expect(citedIn('a.test.ts', `test('${cite('S4-03')} ${cite('G3.1-07')} holds', () => {})`)).toEqual([
    'S4-03',
    'G3.1-07',
  ])
})

test('finds ids in titles that are data or templates', () => {
  const source = `test.for([['${cite('S4-03')} sale']])('%s', run)\ntest(\`${cite('S4-04')} \${name}\`, run)`
  expect(citedIn('a.test.ts', source)).toEqual(['S4-03', 'S4-04'])
})

test('a comment cites nothing', () => {
  expect(citedIn('a.test.ts', `// test('${cite('S4-03')} holds', run)\n/* ${cite('S4-04')} */`)).toEqual([])
})

const stated: Requirement = { id: 'S1-01', part: '1', origin: 'stated', text: 'Paths are relative.' }
const deferred: Requirement = { ...stated, id: 'S1-02', deferred: 'no server yet' }
const file = 'packages/core/test/paths.test.ts'

test('all is well if every requirement that is not deferred is cited', () => {
  expect(judgeCitations([stated, deferred], [{ id: 'S1-01', file }])).toEqual([])
})

test('a requirement that no test cites is named with its text', () => {
  expect(judgeCitations([stated], [])).toEqual(['S1-01 is cited by no test: Paths are relative.'])
})

test('a deferral is stale once a test cites the requirement', () => {
  expect(judgeCitations([deferred], [{ id: 'S1-02', file }])).toEqual([
    'S1-02 is deferred, yet packages/core/test/paths.test.ts cites it: remove the deferral',
  ])
})

test('an id that does not exist is named with the file that cites it', () => {
  expect(judgeCitations([], [{ id: 'S9-99', file }])).toEqual([
    'S9-99 is no requirement, yet packages/core/test/paths.test.ts cites it',
  ])
})
