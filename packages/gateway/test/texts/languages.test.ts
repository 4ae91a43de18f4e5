import { serialize } from 'node:v8'
import { html } from '@remix-run/html-template'
import { describe, expect, test } from 'vitest'
import { inAscii } from '../../src/texts/languages.ts'
import { counter } from '../pages/browser.ts'

// Code points by the Unicode charts: U+20AC EURO SIGN, U+1F339 ROSE, U+0411 CYRILLIC CAPITAL LETTER BE.
test.for([
  ['34.00 €', '34.00 &#8364;'],
  ['🌹', '&#127801;'],
  ['Б', '&#1041;'],
  ['Prüfen\u00a0ÿ', 'Pr&#252;fen&#160;&#255;'],
  ['plain', 'plain'],
  ['<b>&#8364;</b>', '&lt;b&gt;&amp;#8364;&lt;/b&gt;'],
])('%s is written %s', ([text, expected]) => {
  expect(String(inAscii(html`${text}`))).toBe(expected)
})

/** How wide V8 stores the characters of a text. Its serializer writes a text as it is stored. */
function widthOf(text: string): string {
  const width = { '"': 'one byte', c: 'two bytes' }[
    String.fromCharCode(serialize(text).find((byte) => byte > 0x20 && byte < 0x7f) ?? 0)
  ]
  return width ?? 'something else'
}

test('the width of a text is told', () => {
  expect(['a', 'ÿ', '€', `€${'a'.repeat(20)}`.slice(1)].map(widthOf)).toEqual([
    'one byte',
    'one byte',
    'two bytes',
    'two bytes',
  ])
})

describe('a form', () => {
  test.for(['en', 'de'])('is ASCII, whatever it is about: %s', async (language) => {
    const { openForm, gateway } = counter({}, { 'accept-language': language })
    const { address } = await openForm('/api/v2/sale-form', { order_desc: 'Билет 🌹', currency: 'EUR' })
    const { pathname } = new URL(address)
    const headers = { 'accept-language': language }
    const { body } = await gateway.handle({ method: 'GET', url: pathname, headers, body: '' })
    expect(body).toContain('<dd>&#1041;&#1080;&#1083;&#1077;&#1090; &#127801;</dd>')
    expect(body).toContain('&#8364;')
    expect(/\P{ASCII}/u.test(body)).toBe(false)
    expect(widthOf(body)).toBe('one byte')
  })
})
