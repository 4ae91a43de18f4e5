import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCitations, judgeCitations } from '../citations.ts'
import { judgeIds, parseRequirements, type Requirement, requirements } from '../requirements.ts'

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

describe('the table', () => {
  test('gives each rule the part and the origin of its heading', () => {
    const table =
      '# Rules\n\nA word first.\n\n## S1: paths\n\n- **S1-01** Paths are\n  relative.\n\n## F-A: loss\n\n- **F-A1** No.\n'
    expect(parseRequirements(table)).toEqual([
      { id: 'S1-01', part: '1', origin: 'stated', text: 'Paths are relative.' },
      { id: 'F-A1', part: 'A', origin: 'met', text: 'No.' },
    ])
  })

  test('keeps why a rule is deferred', () => {
    const deferred = { id: 'G2.1-01', part: '2.1', origin: 'filled in', text: 'A rule.', deferred: 'no server yet' }
    expect(parseRequirements('## G2.1: HTTP\n- **G2.1-01** A rule.\n  Deferred: no\n  server yet')).toEqual([deferred])
  })

  test.for(['- S1-02 A rule without bold.', 'A sentence.', '## T1: an unknown origin', '    - **S1-02** Too deep.'])(
    'is refused if it has the line %j',
    (line) => {
      expect(() => parseRequirements(`## S1: paths\n\n- **S1-01** A rule.\n\n${line}\n`)).toThrow(
        'neither a part nor a rule',
      )
    },
  )
})

function stated(id: string, part: string): Requirement {
  return { id, part, origin: 'stated', text: 'A rule.' }
}

test('parts and numbers are compared as numbers', () => {
  const filledIn: Requirement = { ...stated('G1-01', '1'), origin: 'filled in' }
  expect(judgeIds([stated('S2-01', '2'), stated('S5.2-09', '5.2'), stated('S10-01', '10'), filledIn])).toEqual([])
})

test.for([
  ['an id of a wrong form', [stated('S1-1', '1')], 'S1-1 is not of the form S<part>-<nn> or G<part>-<nn>'],
  ['an id of another part', [stated('S1-01', '2')], 'S1-01 does not fit its part or origin'],
  ['an id of another origin', [stated('G1-01', '1')], 'G1-01 does not fit its part or origin'],
  ['a repeated id', [stated('S1-01', '1'), stated('S1-01', '1')], 'S1-01 comes after S1-01'],
  ['a wrong order', [stated('S1-02', '1'), stated('S1-01', '1')], 'S1-01 comes after S1-02'],
] as const)('%s is named', ([, requirements, message]) => {
  expect(judgeIds(requirements)).toEqual([message])
})
