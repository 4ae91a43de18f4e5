import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeParameters, signatureBaseString } from '../../src/index.ts'
import { baseStringBytes } from '../../src/oauth/fast-base-string.ts'
import { releaseScratch } from '../../src/oauth/scratch-buffer.ts'
import { anyText } from '../any-text.ts'
import { textOf } from './base-string-text.ts'
import { signable } from './requests.ts'

test('baseStringBytes writes the bytes of signatureBaseString, for any parameters', () => {
  const beginning = Buffer.from(
    'POST&https%3A%2F%2Fgate.payneteasy.com%2Fpaynet%2Fapi%2Fv2%2Fpan-eligibility%2Fsend%2FENDPOINTID&',
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(anyText(), anyText())), (parameters) => {
      const baseString = baseStringBytes(beginning, normalizeParameters(parameters))
      expect(textOf(baseString)).toBe(signatureBaseString({ ...signable, parameters }))
      releaseScratch(baseString)
    }),
  )
})
