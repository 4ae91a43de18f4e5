import { defineProfile, StatusResponse } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { encodeModel } from '../../src/codec/reply.ts'

describe('the spelling of a model', () => {
  const wireNames = { StatusResponse: { status: 'order-status' } }

  test('is worked out once for a profile', () => {
    expect(StatusResponse.spelling(wireNames)).toBe(StatusResponse.spelling(wireNames))
    expect(StatusResponse.spelling()).toBe(StatusResponse.spelling())
  })

  test('differs from profile to profile', () => {
    expect(StatusResponse.spelling(wireNames).read.get('order-status')).toBe('status')
    expect(StatusResponse.spelling(wireNames).read.has('status')).toBe(false)
    expect(StatusResponse.spelling().read.get('status')).toBe('status')
    expect(StatusResponse.spelling({ SaleRequest: { status: 'x' } }).read.get('status')).toBe('status')
  })
})

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
