import { expect, test } from 'vitest'
import { judgeCitations } from '../judge-citations.ts'
import type { Requirement } from '../requirement.ts'

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
    'S1-02 is deferred, yet packages/core/test/paths.test.ts cites it: remove `deferred`',
  ])
})

test('an id that does not exist is named with the file that cites it', () => {
  expect(judgeCitations([], [{ id: 'S9-99', file }])).toEqual([
    'S9-99 is no requirement, yet packages/core/test/paths.test.ts cites it',
  ])
})
