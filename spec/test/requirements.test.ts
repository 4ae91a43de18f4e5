import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCitations } from '../find-citations.ts'
import { judgeCitations } from '../judge-citations.ts'
import { judgeIds } from '../judge-ids.ts'
import { requirements } from '../requirements.ts'

const root = dirname(dirname(import.meta.dirname))

describe('the requirements', () => {
  test('are each cited by a test or deferred, and no test cites an unknown one', () => {
    expect(judgeCitations(requirements, findCitations(root)).join('\n')).toBe('')
  })

  test('have ids that are well-formed, unique and in the order of the specification', () => {
    expect(judgeIds(requirements).join('\n')).toBe('')
  })

  test('that are deferred say why', () => {
    expect(requirements.filter(({ deferred }) => deferred?.trim() === '')).toEqual([])
  })
})
