import { Cvv, Pan } from '@tallystick/core'
import { maskSent, withoutSentCvv } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'

const number = '4444555566661111'
const sent = [new Pan(number), new Cvv('123')]

describe('[F-B8] A card number that was sent is hidden, whatever its spelling', () => {
  test.each([
    ['plain', number],
    ['in groups with entities', '4444&nbsp;5555&nbsp;6666&nbsp;1111'],
    ['in groups with numeric entities', '4444&#160;5555&#xA0;6666&amp;nbsp;1111'],
    ['on lines of a page', '4444<br>5555<br/>6666<br class="x9">1111'],
    ['in cells', '<td>4444</td><td>5555</td><td width="10">6666</td><td>1111</td>'],
    ['in words', '4444 then 5555 and 6666 or 1111'],
    ['with zero-width characters', [...number].join('\u200b')],
    ['with dots, slashes and lines', '4444.5555/6666\n\t1111'],
  ])('%s', (_how, text) => {
    const masked = maskSent(`card ${text} is wrong, code 17`, sent)
    expect(masked.replaceAll(/<[^>]*>|&(?:amp;)?#?\w+;/g, '').replaceAll(/\D/g, '')).toBe('444455111117')
    expect(masked).toMatch(/is wrong, code 17$/)
  })

  test.each([
    ['percent-encoded', [...number].map((digit) => `%3${digit}`).join('')],
    ['percent-encoded twice', [...number].map((digit) => `%253${digit}`).join('')],
    ['in part', '44445555666611%31%31'],
    ['in entities', [...number].map((digit) => `&#${48 + Number(digit)};`).join('')],
    ['in hexadecimal entities', [...number].map((digit) => `&amp;#x3${digit};`).join('')],
    [
      'in entities without semicolons, which browsers read',
      [...number].map((digit) => `&#${48 + Number(digit)}`).join(''),
    ],
    ['in hexadecimal entities without semicolons', [...number].map((digit) => `&#x3${digit}`).join('')],
    ['in octal escapes', [...number].map((digit) => `\\06${digit}`).join('')],
    ['behind an ampersand', `&#${number}`],
    ['in escapes of JSON', [...number].map((digit) => `\\u003${digit}`).join('')],
    ['in escapes of a log', [...number].map((digit) => `\\x3${digit}`).join('')],
    ['in Arabic digits', [...number].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('')],
    ['in Bengali digits', [...number].map((digit) => String.fromCodePoint(0x9e6 + Number(digit))).join('')],
    ['in full width', [...number].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')],
    ['in mathematical digits', [...number].map((digit) => String.fromCodePoint(0x1d7d8 + Number(digit))).join('')],
    ['in superscript', '⁴⁴⁴⁴⁵⁵⁵⁵⁶⁶⁶⁶¹¹¹¹'],
  ])('%s', (_how, text) => {
    expect(maskSent(text, sent).match(/\*/g)).toHaveLength(6)
    expect(maskSent(maskSent(text, sent), sent)).toBe(maskSent(text, sent))
  })

  test.each([
    ['in an attribute', `<input value="${number}" maxlength="19">`, `<input value="444455******1111" maxlength="19">`],
    ['in groups in an attribute', '<b title="4444 5555-6666.1111">', '<b title="4444 55**-****.1111">'],
    [
      'in an attribute in entities',
      '<b title="&#52;444&nbsp;5555 66661111">',
      '<b title="&#52;444&nbsp;55** ****1111">',
    ],
    ['in a comment', `<!-- ${number} -->`, '<!-- 444455******1111 -->'],
    ['in CDATA', `<pan><![CDATA[${number}]]></pan>`, '<pan><![CDATA[444455******1111]]></pan>'],
    ['in an address', `<a href="/x?q=4444+5555+6666+1111">`, '<a href="/x?q=4444+55**+****+1111">'],
    ['in several attributes', '<i a="4444" b="5555" c="6666" d="1111">', '<i a="4444" b="55**" c="****" d="1111">'],
    ['in an attribute and behind it', '<i title="44445555">66661111</i>', '<i title="444455**">****1111</i>'],
    ['in a name of a tag', `<n${number}/>`, '<n444455******1111/>'],
    [
      'in an attribute within JSON',
      `{"m":"<i v=\\"${number}\\">\\u003cb\\u003e"}`,
      '{"m":"<i v=\\"444455******1111\\">\\u003cb\\u003e"}',
    ],
  ])('[F-B8] %s of a page', (_how, text, masked) => {
    expect(maskSent(text, sent)).toBe(masked)
  })

  test('[F-B8] and the CVV in an attribute', () => {
    expect(withoutSentCvv('<b title="123">of 12</b>', sent)).toBe('<b title="***">of 12</b>')
  })

  test('and every time', () => {
    expect(maskSent(`${number} and ${number}`, sent)).toBe('444455******1111 and 444455******1111')
  })

  test('and nothing else is changed, neither other numbers nor those far apart', () => {
    for (const text of [
      '',
      'no digits',
      '4444555566661112',
      `4444555566${' '.repeat(700)}661111`,
      '{"amount":"10.42"}',
    ]) {
      expect(maskSent(text, sent)).toBe(text)
    }
    expect(maskSent(number, [])).toBe(number)
  })

  test('and the CVV in a sentence, but not within a longer number', () => {
    expect(withoutSentCvv('123 is wrong: &#49;23, ١٢٣ (code 1234, 123.)', sent)).toBe(
      '*** is wrong: ***, *** (code 1234, ***.)',
    )
    expect(withoutSentCvv('123', [])).toBe('123')
  })

  test('in no more than linear time', () => {
    for (const piece of ['4', '<a', '&#', '4444555566661', '%25', '&amp;', '\\\\']) {
      expect(maskSent(piece.repeat(1_000_000 / piece.length), sent).length).toBeGreaterThan(100_000)
    }
  }, 10_000)
})
