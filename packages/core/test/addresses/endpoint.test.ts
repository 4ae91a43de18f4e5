import type { Endpoint } from '@tallystick/core'
import { endpointAddress, isEndpointId } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'

describe('endpointAddress', () => {
  test.each([
    ['1', '1'],
    ['253', '253'],
    [253n, '253'],
    ['9223372036854775807', '9223372036854775807'],
    [9_223_372_036_854_775_807n, '9223372036854775807'],
  ])('[S2-01] [S4-02] [G13-27] takes %o', (endpointId, id) => {
    expect(endpointAddress({ endpointId })).toEqual({ id, isGroup: false })
  })

  test('[S2-02] [G1-02] takes a group', () => {
    expect(endpointAddress({ endpointGroupId: '77' })).toEqual({ id: '77', isGroup: true })
    expect(endpointAddress({ endpointGroupId: 77n })).toEqual({ id: '77', isGroup: true })
  })

  test.each([
    253,
    9_223_372_036_854_776_000,
    '9223372036854775808',
    9_223_372_036_854_775_808n,
    '0',
    0n,
    -1n,
    '-1',
    '007',
    '1.5',
    '1e3',
    ' 1',
    '1/../2',
    '',
    undefined,
    null,
  ])('[S2-01] [G13-27] refuses %o: an id is int64 as text or bigint, never a float', (endpointId) => {
    expect(() => endpointAddress({ endpointId } as Endpoint)).toThrow(TypeError)
    expect(() => endpointAddress({ endpointId } as Endpoint)).toThrow('endpointId must be a whole number from 1 to')
  })

  test('names the group when the group is wrong', () => {
    expect(() => endpointAddress({ endpointGroupId: 'x' })).toThrow('endpointGroupId must be')
  })
})

test('[S2-01] isEndpointId knows the borders of int64', () => {
  expect(['1', '9223372036854775807'].map(isEndpointId)).toEqual([true, true])
  expect(['0', '9223372036854775808', '99999999999999999999'].map(isEndpointId)).toEqual([false, false, false])
})
