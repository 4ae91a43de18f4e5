import { changeShown, outcomeShown } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'

/** The types of gaps part 5 that come after the payment, and `void`, `return`, `refund`, other names for some of them. */
const CHANGES = [
  'capture',
  'cancel',
  'void',
  'reversal',
  'return',
  'refund',
  'chargeback',
  'fraud',
  'dispute',
  'retrieval',
  'dispute/retrieval',
]

describe('what a status shows about an order', () => {
  test.each(CHANGES)('[S3-06] is of a %s that came later, and the payment was approved', (transactionType) => {
    for (const shown of [transactionType, transactionType.toUpperCase()]) {
      expect(changeShown({ transactionType: shown })).toBe(transactionType)
      for (const status of ['approved', 'declined'] as const) {
        expect(outcomeShown({ transactionType: shown }, status)).toEqual({
          status: 'approved',
          change: { transactionType, status },
        })
      }
    }
  })

  test.each(['sale', 'preauth', 'payout', 'transfer', 'brand-type', '', undefined])(
    'is of the payment itself if its type is %j',
    (transactionType) => {
      expect(changeShown({ transactionType })).toBeUndefined()
      for (const status of ['approved', 'declined', 'filtered', 'error'] as const) {
        expect(outcomeShown({ transactionType }, status)).toEqual({ status })
      }
    },
  )

  test('is of the payment itself if it names no type', () => {
    expect(changeShown({})).toBeUndefined()
    expect(outcomeShown({}, 'declined')).toEqual({ status: 'declined' })
  })
})
