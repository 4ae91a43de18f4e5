import { catalogue, type OperationKey, operationKeys } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { fieldText, meaningOf, type Use } from '../../declarations/field-text.ts'
import type { Fields } from '../../src/models/model.ts'

function usesOf(name: string, keys: readonly OperationKey[] = operationKeys): readonly Use[] {
  return keys.flatMap((operation) => {
    const { fields }: { readonly fields: Fields } = catalogue[operation].request
    const field = fields[name]
    return field === undefined ? [] : [{ operation, field }]
  })
}

describe('what an editor shows for a field', () => {
  test('is its meaning, its shape, its spelling and the part that names it', () => {
    expect(fieldText(usesOf('currency', ['sale']))).toBe(
      'The currency by its ISO 4217 letters. Three capital letters (ISO 4217), such as "EUR". ' +
        'Sent as `currency` (specification part 2).',
    )
  })

  test('ends with the spelling if the specification does not name it', () => {
    expect(fieldText(usesOf('siteUrl'))).toMatch(/ Sent as `site_url`\.$/)
  })

  test('is empty if no operation uses it, so that the build stops', () => {
    expect(fieldText([])).toBe('')
    expect(meaningOf([])).toBe('')
  })

  test('says when it is required, and by which operation if they differ', () => {
    expect(fieldText(usesOf('state', ['sale']))).toContain(' Required when country is US, CA or AU. ')
    expect(fieldText(usesOf('amount', ['capture', 'createRecurringPayment']))).toContain(
      ' Required with currency, for a part (capture). ' +
        'Required unless a range or a sequence is given (createRecurringPayment). ',
    )
  })

  test('begins with what most operations have', () => {
    expect(fieldText(usesOf('city', ['transfer', 'sale', 'preauth']))).toContain(
      'Text of 1 to 50 characters. In transfer: text of 1 to 128 characters. ',
    )
  })

  const withAmounts = operationKeys.filter((key) => catalogue[key].request.amounts.length > 0)

  test.each(withAmounts)('tells the unit of each amount of %s', (key) => {
    for (const name of catalogue[key].request.amounts) {
      expect(fieldText(usesOf(name, [key]))).toMatch(/ecimal texts? above zero in major units, .*such as "\d+\.\d\d/)
    }
  })

  test('is only the meaning if a gateway writes it', () => {
    expect(meaningOf([{ operation: 'status', field: catalogue.status.reply.fields.amount }])).toBe(
      'What is held or kept now, in major units with a dot.',
    )
  })
})
