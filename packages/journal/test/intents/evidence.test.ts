import { describe, expect, test } from 'vitest'
import { withEvidence } from '../../src/intents/states.ts'

describe('Evidence', () => {
  test('keeps how it began and how it ended', () => {
    let evidence = withEvidence({ evidence: [] }, 0, 'seen 0')
    for (let n = 1; n < 100; n++) evidence = withEvidence({ evidence }, n, `seen ${n}`)
    expect(evidence.map(({ at }) => at)).toEqual([
      0, 1, 2, 3, 4, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99,
    ])
  })

  test('notes what is seen again and again once, with the time of the last', () => {
    const first = withEvidence({ evidence: [] }, 1, 'sent')
    const twice = withEvidence({ evidence: withEvidence({ evidence: first }, 2, 'absent') }, 3, 'absent')
    expect(twice).toEqual([
      { at: 1, seen: 'sent' },
      { at: 3, seen: 'absent' },
    ])
  })

  test('holds no CVV and no control that a gateway quotes', () => {
    const [noted] = withEvidence({ evidence: [] }, 1, 'Bad request: amount=1&cvv2=7391&control=f493a1')
    expect(noted?.seen).toBe('Bad request: amount=1&cvv2=***&control=***')
  })

  test('holds no card number, and no text of unlimited length', () => {
    const [noted] = withEvidence({ evidence: [] }, 1, `refused 4444555566661111 ${'x'.repeat(1000)}`)
    expect(noted?.seen).not.toContain('4444555566661111')
    expect(noted?.seen).toHaveLength(500)
  })
})
