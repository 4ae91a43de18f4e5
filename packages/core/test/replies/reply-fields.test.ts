import { outcomeShown, processed } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'

describe('the date of a status', () => {
  test.for([
    ['2015-04-09 17:14:26 MSK', Date.UTC(2015, 3, 9, 14, 14, 26)],
    ['2030-01-31 06:00:00 UTC', Date.UTC(2030, 0, 31, 6)],
    ['2030-01-31T06:00:00Z', Date.UTC(2030, 0, 31, 6)],
    ['2030-01-31 06:00:00 +0530', Date.UTC(2030, 0, 31, 0, 30)],
    ['2030-01-31 06:00:00.250 -02:00', Date.UTC(2030, 0, 31, 8)],
  ] as const)('[F-D10] %s is an instant', ([processingDate, processedAt]) => {
    expect(processed({ processingDate })).toEqual({ processedAt })
  })

  test.for([
    '2030-01-31 06:00:00',
    '2030-01-31 06:00:00 EKT',
    '31.01.2030 06:00:00 UTC',
    '2030-13-31 06:00:00 UTC',
    '',
  ])('[F-D10] "%s" is no instant that we could know', (processingDate) =>
    expect(processed({ processingDate })).toEqual({}),
  )
})

test('[F-D10] what is not there is left out, and what is no id cannot quote a card', () => {
  const shown = { processorRrn: '633200000001', terminalId: ' ', processorDebitArn: 'pan=4444555566661111' }
  const references = { processorRrn: '633200000001', processorDebitArn: 'pan=444455******1111' }
  expect(processed(shown)).toEqual({ references })
  expect(outcomeShown({ transactionType: 'reversal', ...shown }, 'approved')).toEqual({
    status: 'approved',
    change: { transactionType: 'reversal', status: 'approved' },
    references,
  })
})
