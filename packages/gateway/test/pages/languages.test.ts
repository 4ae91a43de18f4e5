import { describe, expect, test } from 'vitest'
import { de } from '../../src/pages/texts/de.ts'
import { en } from '../../src/pages/texts/en.ts'
import { chooseLanguage } from '../../src/pages/texts/languages.ts'
import { counter } from './browser.ts'

describe('the language of a page', () => {
  test.for([
    ['de', undefined, 'de'],
    ['de-DE', 'en', 'de'],
    ['DE', 'en', 'de'],
    ['en', 'de', 'en'],
    [undefined, 'de-AT,de;q=0.9,en;q=0.5', 'de'],
    [undefined, 'fr, de;q=0.5', 'de'],
    ['fr', 'de', 'de'],
    ['fr', 'es', 'en'],
    [undefined, undefined, 'en'],
    ['__proto__', '*', 'en'],
  ] as const)('of preferred_language %s and Accept-Language %s is %s', async ([preferred, accepted, expected]) => {
    const headers = accepted === undefined ? {} : { 'accept-language': accepted }
    const { openForm, open } = counter({}, headers)
    const { address } = await openForm(
      '/api/v2/sale-form',
      preferred === undefined ? {} : { preferred_language: preferred },
    )
    const { body } = await open(address)
    expect(body).toContain(`<html lang="${expected}">`)
    expect(body).toContain(expected === 'de' ? 'Mit Karte zahlen' : 'Pay by card')
    expect(body).toContain(expected === 'de' ? '34,00\u00a0€' : '€34.00')
  })

  test('a long list of languages is not read to its end', () => {
    expect(chooseLanguage(`${'x,'.repeat(1e6)}de`).tag).toBe('en')
  })
})

describe('the texts', () => {
  test('are the same in every language, and none is empty or left in the other', () => {
    expect(Object.keys(de)).toEqual(Object.keys(en))
    expect(Object.values(de).filter((text) => text.trim() === '')).toEqual([])
    const same = Object.entries(de).filter(([key, text]) =>
      Object.entries(en).some(([name, other]) => name === key && other === text && text.includes(' ')),
    )
    expect(same).toEqual([])
  })

  test('name the same values', () => {
    const names = (texts: object) =>
      Object.values(texts).map((text) =>
        String(text)
          .match(/\{\w+\}/g)
          ?.sort(),
      )
    expect(names(de)).toEqual(names(en))
  })
})
