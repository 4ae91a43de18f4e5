import type { Intent, Observation } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { keptWhenReported, remainingAfter } from '../../src/status/remaining-amount.ts'
import { lostReturn } from './looks.ts'

const shows = (transactionType: string, amount: string | undefined, status = 'approved'): Observation => ({
  status,
  transactionType,
  amount,
})

describe('What is kept after a void', () => {
  const captured = shows('capture', '1042')
  const cancel = (changes: Partial<Intent> = {}) =>
    lostReturn({ operation: 'void', amounts: [], before: { ...captured, initialAmount: '1042' }, ...changes })
  const capture = (changes: Partial<Intent> = {}) =>
    lostReturn({ operation: 'capture', state: 'FINAL', status: 'approved', amounts: ['500'], ...changes })
  const keeps = (observed: Observation, modifications: readonly Intent[], intent = cancel()) =>
    remainingAfter(intent, observed, modifications)

  test.each([
    ['one part', [capture()], '500'],
    ['two parts', [capture({ amounts: ['300'] }), capture({ amounts: ['400'] })], '700'],
    ['a part, and another capture was declined', [capture(), capture({ status: 'declined' })], '500'],
    ['a part, and a return was made', [capture(), lostReturn({ state: 'FINAL', status: 'approved' })], '500'],
  ])('is what was captured before, even if less is left now: %s', (_what, modifications, kept) => {
    expect(keeps(shows('cancel', '300'), modifications)).toBe(kept)
    expect(keeps(shows('CANCEL', '300'), modifications)).toBe(kept)
  })

  test('is reduced by what was taken before the void', () => {
    const before = { ...shows('chargeback', '842'), initialAmount: '1042' }
    expect(keeps(shows('cancel', '100'), [capture()], cancel({ before }))).toBe('300')
  })

  test.each([
    ['it is all that was captured', shows('cancel', '500'), [capture()]],
    ['more is kept, because others have captured as well', shows('cancel', '700'), [capture()]],
    ['the journal captured nothing', shows('cancel', '300'), []],
    ['all was captured', shows('cancel', '0'), [capture({ amounts: ['1042'] })]],
    ['all was captured by a request that names no amount', shows('cancel', '0'), [capture({ amounts: [] })]],
    ['it gives back what was captured', shows('reversal', '0'), [capture()]],
    ['its status names no type', { status: 'approved', amount: '300' }, [capture()]],
  ])('is what the status shows if %s', (_what, observed, modifications) => {
    expect(keeps(observed, modifications)).toBe(observed.amount)
  })

  test('is what the status shows if that may be the amount that was cancelled', () => {
    const captures = [capture({ amounts: ['742'] })]
    expect(keeps(shows('cancel', '300'), captures)).toBe('300')
    // If something else had left the 300, a chargeback shows 300 as well, and the void had left 742.
    const told = shows('cancel', '300')
    const done = cancel({ state: 'FINAL', status: 'approved', observed: told })
    expect(keptWhenReported(told, shows('chargeback', '300'), [...captures, done])).toBe('742')
  })

  test('is what was kept before a void that was declined, if a chargeback had left exactly the amount it asked for', () => {
    const declined = shows('cancel', '542', 'declined')
    const seen = (observed: Observation) => keeps(declined, [capture()], cancel({ observed }))
    expect(seen(shows('chargeback', '542'))).toBe('1042')
    expect(seen(shows('chargeback', '700'))).toBe('542')
    expect(seen(declined)).toBe('542')
    expect(keeps(declined, [capture()])).toBe('542')
  })

  test('is what the status shows if the initial amount is not known', () => {
    expect(keeps(shows('cancel', '300'), [capture()], cancel({ before: captured }))).toBe('300')
  })
})

describe('What was kept when a return was reported', () => {
  const declined = shows('reversal', '300', 'declined')
  const told = (changes: Partial<Intent> = {}) => lostReturn({ state: 'FINAL', observed: declined, ...changes })
  const chargedBack = shows('chargeback', '300')

  test('that was declined is what was kept before it, if something else left exactly the amount it asked for', () => {
    expect(keptWhenReported(declined, chargedBack, [told()])).toBe('1042')
  })

  test('that was approved is what the return left', () => {
    const observed = shows('reversal', '300')
    expect(keptWhenReported(observed, chargedBack, [told({ observed })])).toBe('742')
  })

  test.each(['200', '299'])(
    'is what the return left, if a chargeback has since taken a part of the rest and left %s',
    (left) => {
      expect(keptWhenReported(declined, shows('chargeback', left), [told()])).toBe('1042')
      const observed = shows('reversal', '300')
      expect(keptWhenReported(observed, shows('chargeback', left), [told({ observed })])).toBe('742')
      // Nobody else has taken anything before.
      const before = shows('sale', '600')
      expect(keptWhenReported(observed, shows('chargeback', left), [told({ observed, before })])).toBe('300')
    },
  )

  test.each(['300', '0'])('is, for a capture, what it left, if a chargeback shows %s', (left) => {
    const observed = shows('capture', '300')
    expect(keptWhenReported(observed, shows('chargeback', left), [told({ operation: 'capture', observed })])).toBe(
      '1042',
    )
  })

  test('is what the return left, if its status showed the amount of the request alone', () => {
    const observed = shows('reversal', '300')
    expect(keptWhenReported(observed, shows('chargeback', '500'), [told({ observed })])).toBe('742')
  })

  test.each(['chargeback', 'reversal'])('is what the return left, if a %s has left nothing at all since', (type) => {
    expect(keptWhenReported(declined, shows(type, '0'), [told()])).toBe('1042')
    const observed = shows('reversal', '300')
    expect(keptWhenReported(observed, shows(type, '0'), [told({ observed })])).toBe('742')
    // The last of it: nobody else has taken anything.
    const before = shows('reversal', '600')
    expect(keptWhenReported(observed, shows(type, '0'), [told({ observed, before })])).toBe('300')
  })

  test('is otherwise the amount that was reported', () => {
    const modifications = [told()]
    // The status shows the same as before, or another return, possibly with the amount of its own request.
    expect(keptWhenReported(declined, shows('reversal', '300'), modifications)).toBe('300')
    expect(keptWhenReported(declined, shows('reversal', '200'), modifications)).toBe('300')
    // A capture takes nothing, and a gateway may show what was captured from then on.
    const captured = told({ operation: 'capture', observed: shows('capture', '300') })
    expect(keptWhenReported(shows('capture', '300'), shows('chargeback', '200'), [captured])).toBe('300')
    // It was reported otherwise: by the gateway's own count.
    expect(keptWhenReported(shows('sale', '300'), chargedBack, modifications)).toBe('300')
    expect(keptWhenReported(declined, chargedBack, [told({ amounts: ['500'] })])).toBe('300')
    // The return is not decided, or no status of it was seen.
    expect(keptWhenReported(declined, chargedBack, [told({ state: 'REVIEW' })])).toBe('300')
    expect(keptWhenReported(declined, chargedBack, [told({ observed: undefined })])).toBe('300')
    expect(keptWhenReported(declined, chargedBack, [])).toBe('300')
    // Less was kept after it than is shown: the gateway counts otherwise.
    const whole = told({ observed: shows('reversal', '1042'), amounts: ['1042'] })
    expect(keptWhenReported(shows('reversal', '1042'), shows('chargeback', '1042'), [whole])).toBe('1042')
  })

  test('is taken from the last return that was reported with that amount', () => {
    const before = shows('chargeback', '900')
    expect(keptWhenReported(declined, chargedBack, [told(), told({ before }), told({ state: 'REVIEW' })])).toBe('900')
  })
})
