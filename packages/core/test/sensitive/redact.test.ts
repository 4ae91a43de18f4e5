import { redactSecrets } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'
import { ID, redact, redactedAddress, redactedId } from '../../src/sensitive/redact.ts'

const FORM = 'expire_year=2031&cvv2=7391&control=f493a1&amount=1.00'

/** SHA-1 of nothing, as FIPS 180 has it. */
const CONTROL = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'

describe('redactSecrets', () => {
  test.each([
    [FORM, 'expire_year=2031&cvv2=***&control=***&amount=1.00'],
    ['{"cvv2":"7391","control": "f493a1","amount":"1"}', '{"cvv2":"***","control": "***","amount":"1"}'],
    ['"{\\"cvv2\\":\\"7391\\",\\"a\\":1}"', '"{\\"cvv2\\":\\"***\\",\\"a\\":1}"'],
    [`?echo=${encodeURIComponent(FORM)}`, '?echo=expire_year%3D2031%26cvv2%3D***%26control%3D***%26amount%3D1.00'],
    ['%7B%22cvv2%22%3A%227391%22%7D', '%7B%22cvv2%22%3A%22***%22%7D'],
    ['cvv2%253D7391%2526amount', 'cvv2%253D***%2526amount'],
    ["{ cvv: '7391', cvc2: 7391 }", "{ cvv: '***', cvc2: *** }"],
    [
      'card_cvv2=7391 merchant_control_key=A-B control-key: C controlKey=D',
      'card_cvv2=*** merchant_control_key=*** control-key: *** controlKey=***',
    ],
    ['oauth_signature="a%2Bb%3D", oauth_nonce="1"', 'oauth_signature="***", oauth_nonce="1"'],
    ['Array\n(\n    [cvv2] => 739\n    [amount] => 10.42\n)', 'Array\n(\n    [cvv2] => ***\n    [amount] => 10.42\n)'],
    ['bad field cvv2 => 739', 'bad field cvv2 => ***'],
    ['the cvv of the card was 739, and cvc is 7391', 'the cvv of the card was ***, and cvc is ***'],
    ['cvvCode=739 cvv_number: 739, CVC2 code "739"', 'cvvCode=*** cvv_number: ***, CVC2 code "***"'],
    ['{:cvv2=>"739", :zip=>"1234"}', '{:cvv2=>"***", :zip=>"1234"}'],
    ['<cvv2>739</cvv2><zip>1234</zip>', '<cvv2>***</cvv2><zip>1234</zip>'],
    ['<ns1:Cvv2>\n  739\n</ns1:Cvv2>', '<ns1:Cvv2>\n  ***\n</ns1:Cvv2>'],
    ['<field name="cvv2" value="739"/>', '<field name="cvv2" value="***"/>'],
    ['array(1) { ["cvv2"]=> string(3) "739" }', 'array(1) { ["cvv2"]=> string(3) "***" }'],
    ['["cvv2"]=>\n  int(7391)', '["cvv2"]=>\n  int(***)'],
    ['{"name":"cvv2","value":"739"}', '{"name":"cvv2","value":"***"}'],
    [String.raw`{\"name\":\"cvv2\",\"value\":\"739\"}`, String.raw`{\"name\":\"cvv2\",\"value\":\"***\"}`],
    ['form-data; name="cvv2"\r\n\r\n739\r\n--x', 'form-data; name="cvv2"\r\n\r\n***\r\n--x'],
    [String.raw`Sale{cvv2\u003d\u0027739\u0027}`, String.raw`Sale{cvv2\u003d\u0027***\u0027}`],
    ['[cvv2] =&gt; 739, &lt;cvc&gt;739&lt;', '[cvv2] =&gt; ***, &lt;cvc&gt;***&lt;'],
    ['%5Bcvv2%5D%20%3D%3E%20739%0A', '%5Bcvv2%5D%20%3D%3E%20***%0A'],
    ["('cardCvv2', '739')", "('cardCvv2', '***')"],
    [String.raw`{\x22cvv2\x22:\x22739\x22}`, String.raw`{\x22cvv2\x22:\x22***\x22}`],
    [String.raw`{\u0022password\u0022: \u0022sesame\u0022}`, String.raw`{\u0022password\u0022: \u0022***\u0022}`],
    [String.raw`[\"cvv2\"]=>\n  string(3) \"739\"\n`, String.raw`[\"cvv2\"]=>\n  string(3) \"***\"\n`],
    [String.raw`name=\"cvv2\"\r\n\r\n739\r\n--x`, String.raw`name=\"cvv2\"\r\n\r\n***\r\n--x`],
    ['%5B%22cvv2%22%5D%3D%3E%0Astring%283%29%22739%22', '%5B%22cvv2%22%5D%3D%3E%0Astring%283%29%22***%22'],
    ['s%3A4%3A%22cvv2%22%3Bs%3A3%3A%22739%22', 's%3A4%3A%22cvv2%22%3Bs%3A3%3A%22***%22'],
    ["{b'cvv2': [b'739'], b'zip': [b'1234']}", "{b'cvv2': [b'***'], b'zip': [b'1234']}"],
    ["{u'cvv2': u'739', u'password': u'sesame'}", "{u'cvv2': u'***', u'password': u'***'}"],
    ['<cvv2><![CDATA[739]]></cvv2>', '<cvv2><![CDATA[***]]></cvv2>'],
    ['<dt>cvv2</dt><dd>739</dd>', '<dt>cvv2</dt><dd>***</dd>'],
    ['<name>cvv2</name><value><string>739</string>', '<name>cvv2</name><value><string>***</string>'],
    ['{"key":"cvv2","type":"string","value":"739"}', '{"key":"cvv2","type":"string","value":"***"}'],
    ['Map(cvv2 -> List(739), zip -> List(1234))', 'Map(cvv2 -> List(***), zip -> List(1234))'],
    ["{'cvv2': ['739'], 'zip': ['1234']}", "{'cvv2': ['***'], 'zip': ['1234']}"],
    ["{ cvv2: [ '739' ] }", "{ cvv2: [ '***' ] }"],
    ['{"cvv2"=>["739"]}', '{"cvv2"=>["***"]}'],
    ['"cvv2": ("739")', '"cvv2": ("***")'],
    [`{"control":["${CONTROL}"]}`, '{"control":["***"]}'],
    ['{"password":["sesame"],"a":["b"]}', '{"password":["***"],"a":["b"]}'],
    ['s:4:"cvv2";s:3:"739";s:3:"zip";s:4:"1234";', 's:4:"cvv2";s:3:"***";s:3:"zip";s:4:"1234";'],
    ['<cvv2 xsi:type="xsd:string">739</cvv2>', '<cvv2 xsi:type="xsd:string">***</cvv2>'],
    ['<input name="cvv2" maxlength="4" value="739">', '<input name="cvv2" maxlength="4" value="***">'],
    ['<th>cvv2</th><td>739</td>', '<th>cvv2</th><td>***</td>'],
    ['name="cvv2"\r\nContent-Type: text/plain\r\n\r\n739', 'name="cvv2"\r\nContent-Type: text/plain\r\n\r\n***'],
    [`[control] => ${CONTROL}\n`, '[control] => ***\n'],
    [`<control>${CONTROL}</control>`, '<control>***</control>'],
    [
      `<control>${CONTROL}</control><Control>${CONTROL.toUpperCase()}</Control>`,
      '<control>***</control><Control>***</Control>',
    ],
    [`["control"]=> string(40) "${CONTROL}"`, '["control"]=> string(40) "***"'],
    [`{"name":"control","value":"${CONTROL}"}`, '{"name":"control","value":"***"}'],
  ])('leaves the values out of %s', (text, redacted) => {
    expect(redactSecrets(text)).toBe(redacted)
    expect(redactSecrets(redacted)).toBe(redacted)
  })

  test('leaves out a CVV that is an object with a value', () => {
    expect(redactSecrets('{"card":{"cvv":{"value":"739"}}}')).not.toContain('739')
  })

  test.each([
    '',
    'The control is wrong',
    'out of control. = no',
    'remotecontrol=left',
    'Check cvv2, and send it again',
    'cvv2 is wrong at line 739',
    'cvv2 is unlisted 739',
    'Wrong cvv2, code 402',
    'cvv of the order 739 is wrong',
    'cvvCode was refused with HTTP 400',
    'cvv2 has 16 digits: 4444',
    '<cvv2></cvv2><amount>1234</amount>',
    'The control of order 4938 is wrong',
    'https://gate.example.com/form/1?a=1',
  ])('leaves %j as it is', (text) => expect(redactSecrets(text)).toBe(text))

  test('is quick for text that only looks like a secret', () => {
    const text = `control${' '.repeat(100_000)}`.repeat(3) + 'cvv2='.repeat(100_000)
    expect(redactSecrets(text).length).toBeGreaterThan(0)
    const others = [
      'cvv%25',
      'cvv&#1;',
      'cvv string(1',
      'cvvu00',
      'cvv%2525',
      'control&a;12',
      'cvv[',
      'cvv:[ ',
      'cvvs:1:',
      'cvvmaxlength="1"',
      'cvv\\n',
      'cvv\\x22',
      'password\\',
    ]
    for (const each of others) expect(redactSecrets(each.repeat(50_000)).length).toBeGreaterThan(0)
    for (const each of ['%25', '&#1;', 'string(1)']) expect(redactSecrets(`cvv${each.repeat(50_000)}`)).toContain('cvv')
  })
})

test('redact leaves out secrets, and masks card numbers', () => {
  expect(redact('credit_card_number=4444555566661111&cvv2=7391&amount=1.00')).toBe(
    'credit_card_number=444455******1111&cvv2=***&amount=1.00',
  )
})

test.each([
  ['the cvv of the card 4444 5555 6666 1111', 'the cvv of the card 444455******1111'],
  ['Wrong cvv2, card 4444-5555-6666-1111', 'Wrong cvv2, card 444455******1111'],
  ['cvv of card 4444%205555%206666%201111', 'cvv of card 444455******1111'],
  ['Wrong cvv. The card was 3782 822463 10005', 'Wrong cvv. The card was 378282*****0005'],
  ['cvv2 739 4444 5555 6666 1111', 'cvv2 *** 444455******1111'],
  ['cvv2 7391 3782 822463 10005', 'cvv2 *** 378282*****0005'],
  ['cvv2 7391 2030 1042', 'cvv2 *** 2030 1042'],
])('redact takes no group of a card number for a CVV: %s', (text, redacted) => expect(redact(text)).toBe(redacted))

describe('redactedId', () => {
  test.each(['a', '6768788', '00000000-0000-0000-0000-000002d9b22a', 'inv_1.2:3', '4444555566661111', 'x'.repeat(128)])(
    'leaves %s as it is',
    (id) => {
      expect(ID.test(id)).toBe(true)
      expect(redactedId(id)).toBe(id)
    },
  )

  test.each([
    ['cvv2=123', 'cvv2=***'],
    [' 4444555566661111', ' 444455******1111'],
    ['4444555566661111 ', '444455******1111 '],
    ['=4444555566661111', '=444455******1111'],
    ['', ''],
  ])('makes of %j the text %j', (text, redacted) => {
    expect(ID.test(text)).toBe(false)
    expect(redactedId(text)).toBe(redacted)
  })

  test('cuts a text that is longer than an id', () => {
    expect(redactedId('x'.repeat(129))).toBe('x'.repeat(128))
  })
})

describe('redactedAddress', () => {
  const token = '4444555566661111'

  test.each([
    `https://gate.example.com/form/${token}`,
    `https://gate.example.com/form?token=${token}&card-notes=1&span=2`,
    'https://gate.example.com/discard_notice',
    'https://gate.example.com/form/aCvv-739-x?t=cvc2_1234&u=CVV.739&v=cvv--739',
    `https://gate.example.com/cvv/73-91/${token}`,
  ])('leaves %s as it is', (address) => expect(redactedAddress(address)).toBe(address))

  test.each(['card_number', 'cardnumber', 'card-number', 'credit_card_number', 'card_no', 'cardNo', 'CARDNO', 'pan'])(
    'masks the number in an address that quotes %s',
    (name) => {
      expect(redactedAddress(`https://gate.example.com/?${name}=${token}`)).toBe(
        `https://gate.example.com/?${name}=444455******1111`,
      )
    },
  )

  test.each(['card%20number%20', 'card+number+', 'card%2520number%253D%2520'])(
    'masks the number in an address that says %s',
    (words) => {
      expect(redactedAddress(`https://gate.example.com/error?message=Unknown%20${words}${token}`)).toBe(
        `https://gate.example.com/error?message=Unknown%20${words}444455******1111`,
      )
    },
  )

  test('leaves out a secret that is quoted in another way', () => {
    expect(redactedAddress('https://gate.example.com/?echo=%5Bcvv2%5D%20%3D%3E%20739')).toBe(
      'https://gate.example.com/?echo=%5Bcvv2%5D%20%3D%3E%20***',
    )
  })

  test('masks the number, and leaves out the secret if there is one', () => {
    expect(redactedAddress(`https://gate.example.com/?echo=${token}&cvv2=123`)).toBe(
      'https://gate.example.com/?echo=444455******1111&cvv2=***',
    )
  })
})

describe('a private key in PEM', () => {
  const lines = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'Kx8y+w/3Lq0a9']
  const pem = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----', ''].join('\n')

  test.each([
    ['in a text', (text: string) => text],
    ['in a form', (text: string) => new URLSearchParams({ text }).toString()],
    ['in an address', encodeURIComponent],
    ['in JSON', (text: string) => JSON.stringify({ text })],
    ['behind its name', (text: string) => `password: ${text}`],
    ['that was cut off', (text: string) => text.slice(0, -40)],
  ])('is left out %s', (_, written) => {
    const left = redactSecrets(`${written(`a ${pem}`)} b`)
    for (const line of lines) expect(left).not.toContain(line.slice(0, 10))
    expect(left).toContain('[private key]')
  })

  test('is not taken for a public one', () => {
    const text = pem.replaceAll('RSA PRIVATE', 'PUBLIC')
    expect(redactSecrets(text)).toBe(text)
  })
})
