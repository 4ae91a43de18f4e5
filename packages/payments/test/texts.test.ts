import { describe, expect, test } from 'vitest'
import { customerTexts } from '../src/index.ts'
import { mergedTexts } from '../src/options.ts'
import { languageOf, SHOWN } from '../src/texts.ts'

test('every language has a sentence for every state, and none is that of another language', () => {
  const languages = Object.entries(customerTexts)
  expect(languages.map(([language]) => language)).toEqual(['en', 'de', 'fr', 'es', 'pl', 'ru'])
  const sentences = languages.flatMap(([, texts]) => SHOWN.map((show) => texts[show]))
  expect(sentences).toHaveLength(36)
  expect(new Set(sentences).size).toBe(36)
})

test.for([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE', 'de'],
  ['it, pl;q=0.5, ru;q=0.8', 'ru'],
  ['fr;q=0, es', 'es'],
  ['*', 'en'],
  ['constructor', 'en'],
  ['de;q=abc', 'de'],
] as const)('the language of %j is %s', ([wanted, language]) => {
  expect(languageOf(wanted, customerTexts)).toBe(language)
})

describe('sentences of the shop', () => {
  test('replace ours, and the others stay', () => {
    const texts = mergedTexts({ en: { paid: 'Hooray!' } })
    expect([texts['en']?.paid, texts['en']?.declined]).toEqual(['Hooray!', customerTexts.en.declined])
  })

  test('add a language, with ours in English for what is missing', () => {
    const texts = mergedTexts({ IT: { paid: 'Grazie.' } })
    expect([languageOf('it-CH', texts), texts['it']?.paid, texts['it']?.checking]).toEqual([
      'it',
      'Grazie.',
      customerTexts.en.checking,
    ])
  })
})
