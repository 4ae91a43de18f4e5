import { expect, test } from 'vitest'
import { errorLine } from '../src/index.ts'

test('the line has the error and its cause', () => {
  expect(errorLine(new Error('not kept', { cause: new Error('the disk is full') }))).toBe(
    'Error: not kept, because of Error: the disk is full',
  )
})

test('the line has no card number and no CVV that a stranger sent', () => {
  const error = new Error('unsupported charset "5100-0000-0000-0008"', { cause: 'a=1&cvv2=7391' })
  expect(errorLine(error)).toBe('Error: unsupported charset "510000******0008", because of a=1&cvv2=***')
})
