import { GatewayError, NoReplyError, RejectedError } from '@tallystick/core'
import { describe, expect, test } from 'vitest'

const evidence = { operation: 'STATUS', clientOrderId: 'inv-1', seen: 'HTTP 502', httpStatus: 502, isRead: true }
const answer = { errorMessage: 'No such order', errorCode: '1', serialNumber: undefined }

describe('the error of a read', () => {
  test.for([new NoReplyError(evidence), new GatewayError(evidence, answer)])('$name says to ask again', (error) => {
    expect(error.retry).toBe('safe')
    expect(error.message).toBe('STATUS: HTTP 502. Nothing was changed by asking: ask again.')
  })

  test('RejectedError does not say that nothing was created', () => {
    const error = new RejectedError(evidence, answer)
    expect(error.retry).toBe('never')
    expect(error.message).toBe('STATUS: HTTP 502. Fix the request as the gateway says.')
  })

  test('has the known cause instead of the usual remedy', () => {
    const remedy = 'Ask again later, or check the id.'
    const error = new RejectedError({ ...evidence, remedy }, answer)
    expect(error.remedy).toBe(remedy)
    expect(error.message).toBe('STATUS: HTTP 502. Ask again later, or check the id.')
  })
})
