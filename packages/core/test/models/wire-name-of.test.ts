import { catalogue, defineProfile } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { wireNameOf } from '../../src/models/wire-name-of.ts'

describe('wireNameOf', () => {
  const { request } = catalogue.sale
  const nameBy = (wireNames?: Readonly<Record<string, Readonly<Record<string, string>>>>) => {
    const profile = wireNames && defineProfile({ baseUrl: 'https://gate.example.com/paynet', wireNames })
    return wireNameOf(request, 'clientOrderId', request.fields.clientOrderId, profile)
  }

  test('is as the profile spells the field of this model, and otherwise as the specification does', () => {
    expect(nameBy({ SaleRequest: { clientOrderId: 'order-no' } })).toBe('order-no')
    expect(nameBy({ SaleRequest: { orderDesc: 'order-no' } })).toBe('client_orderid')
    expect(nameBy({ StatusRequest: { clientOrderId: 'order-no' } })).toBe('client_orderid')
    expect(nameBy()).toBe('client_orderid')
  })
})
