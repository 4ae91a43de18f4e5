import { defineProfile, StatusResponse } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { encodeModel } from '../../src/codec/reply.ts'

describe('encodeModel', () => {
  test('writes by the names of a profile', () => {
    const profile = defineProfile({
      baseUrl: 'https://gate.example.com/paynet',
      wireNames: { StatusResponse: { status: 'order-status' } },
    })
    expect(encodeModel(StatusResponse, { status: 'approved', type: 'status-response' }, profile)).toEqual([
      ['type', 'status-response'],
      ['order-status', 'approved'],
    ])
  })
})
