import { describe, expect, test } from 'vitest'
import { safeParse } from 'zod/v4/core'
import type { Format } from '../../src/models/format.ts'
import * as formats from '../../src/models/formats.ts'
import { anyText, openText } from '../../src/models/reply-formats.ts'

type Row = readonly [name: string, format: Format, taken: readonly unknown[], refused: readonly unknown[]]

const x = (length: number) => 'x'.repeat(length)
const nine = (length: number) => '9'.repeat(length)
/** A list that has 128 characters if `end` has two. */
const list = (end: string) => `${nine(8)},`.repeat(14) + end

const ROWS: readonly Row[] = [
  [
    'text',
    formats.text(50),
    ['a', x(50), ` ${x(50)} `, '日本', '𠮷'.repeat(50)],
    ['', ' ', x(51), '𠮷'.repeat(51), 5, null, '\ud800', true],
  ],
  ['digits', formats.digits(4, 32), ['1267', nine(32)], ['126', nine(33), '12a4', '-126', '12 67', '１２３４']],
  ['one length of digits', formats.digits(3, 3), ['123'], ['12', '1234']],
  ['id', formats.id(20), ['1', 'PAYNET-112233', '_', x(20)], ['', x(21), 'a b', 'a.b', 'é', 12345678901]],
  [
    'amount',
    formats.amount,
    ['0.01', '10', '10.5', '10.42', '9999999.99', '0.0001', ' 10 '],
    ['0', '0.00', '00.1', '01', '10.', '.5', '-1', '+1', '1,5', '1e3', '99999999.99', '1.23456', '', 10.42, 'ten'],
  ],
  [
    'amounts',
    formats.amountList,
    ['10', '10.00,5.00', ' 0.01,9999999.99 ', list('99')],
    [
      '10,',
      ',10',
      '10;5',
      '10, 5',
      list('999'),
      '',
      '0',
      '5,0.00',
      '5,007',
      '5,-1',
      '1e3',
      '5,1.00001',
      '5,99999999.99',
    ],
  ],
  ['currency', formats.currency, ['EUR', ' USD '], ['eur', 'EURO', 'EU', '978', 'XXX', '']],
  ['country', formats.country, ['DE', 'US'], ['de', 'DEU', 'D', '49']],
  [
    'e-mail',
    formats.email(50),
    ['a@b', 'john.smith@gmail.com', `${x(44)}@ab.de`],
    ['a', '@b', 'a@', 'a@b@c', 'a b@c.de', `${x(45)}@ab.de`],
  ],
  ['phone', formats.phone, ['+12063582043', '(206) 358-2044', '123456'], ['12345', nine(16), '+1206x58204', '']],
  [
    'ip address',
    formats.ipAddress,
    ['65.153.12.232', '0.0.0.0', '2001:db8::1', '::1', '::ffff:192.0.2.128', 'fe80:0000:0000:0000:0204:61ff:fe9d:f156'],
    ['256.1.1.1', '1.2.3', '1.2.3.4:80', 'localhost', '2001:db8::g', '', 'fe80::1%eth0', '1.2.3.4/24'],
  ],
  [
    'web address',
    formats.webAddress(128),
    ['https://a.example', 'http://localhost:8080/x?y=z#q', 'HTTPS://A.EXAMPLE/', `https://a.example/${x(110)}`],
    [
      'a.example',
      '//a.example',
      'ftp://a.example',
      'https://',
      'javascript:alert(1)',
      'https://a b',
      `https://a.example/${x(111)}`,
    ],
  ],
  ['flag', formats.flag, [true, false, 'true', 'false'], ['TRUE', 'yes', '1', 1, 0, '', null]],
  ['one of', formats.oneOf('Y', 'N', 'U'), ['Y', 'N', 'U'], ['y', 'YES', '', 'X']],
  [
    'whole number',
    formats.wholeNumber(-840, 840),
    ['0', '-840', 840, ' 5 ', '0060'],
    ['841', '-841', '1.5', 1.5, 'x', '', '--1', Number.NaN],
  ],
  ['month', formats.expiryMonth, ['1', '01', '12', 4], ['0', '13', 'Jan', 1.5]],
  ['year', formats.expiryYear, ['2030', '30', 2030], ['1999', '2100', '203', '']],
  [
    'birthday',
    formats.birthday,
    ['19820115', '20001231'],
    ['820115', '19821315', '19820132', '1982-01-15', '19820100'],
  ],
  [
    'day',
    formats.day,
    ['2030-01-31', '2028-02-29', '1970-01-01'],
    ['1969-12-31', '0000-01-01', '2030-02-29', '2030-13-01', '31.01.2030', '20300131', ''],
  ],
  [
    'card number',
    formats.pan,
    ['4444555566661111', ' 4444555566661111 '],
    ['4444555566661112', '4444 5555 6666 1111', 4444555566661111, ''],
  ],
  ['verification value', formats.cvv, ['123', '1234', ' 123 '], ['12', '12345', 123, '12a', '']],
  ['any text', anyText, ['', 'x', ' '], [5, null, undefined]],
  ['open text', openText('a'), ['a', 'b'], [5]],
]

describe.each(ROWS)('[G3.1-01] [G3.1-02] %s', (_name, { schema, read, bound, remedy }, taken, refused) => {
  test.each(taken)('takes %j', (value) => {
    const { success, data } = safeParse(schema, value)
    expect(success).toBe(true)
    expect(read(value)).toEqual(data)
  })

  test.each(refused)('refuses %j', (value) => {
    expect(safeParse(schema, value).success).toBe(false)
    expect(read(value)).toBeUndefined()
  })

  test('says what it accepts and what to do', () => expect([bound, remedy].every((words) => words !== '')).toBe(true))
})

test('[G3-01] an amount has at most 10 characters with a dot, in major units', () => {
  expect(formats.amount.wire).toEqual({
    type: 'string',
    maxLength: 10,
    pattern: '^(?:0|[1-9]\\d*)(?:\\.\\d{1,4})?$',
    format: 'decimal',
  })
})

test('the pattern of the wire accepts what the check accepts', () => {
  for (const [, { schema, wire }, taken] of ROWS) {
    for (const value of taken.filter((text) => typeof text === 'string' && text.trim() === text && text !== '')) {
      const pattern = new RegExp(wire.pattern ?? '', 'i')
      expect(safeParse(schema, value).success && pattern.test(String(value))).toBe(true)
      expect([...String(value)].length).toBeLessThanOrEqual(wire.maxLength ?? Number.POSITIVE_INFINITY)
    }
  }
})

test('a long text is refused in no more than linear time', () => {
  const long = `https://${'a'.repeat(500_000)} b`
  expect(formats.webAddress(1024).read(long)).toBeUndefined()
}, 5000)
