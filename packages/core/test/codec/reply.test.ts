import { catalogue, defineProfile, type Model, operationKeys, readReply } from '@tallystick/core'
import {
  REPLY_MEDIA_TYPES,
  type ReplyFormat,
  ServerErrorResponse,
  ValidationErrorResponse,
  writeReply,
} from '@tallystick/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainJson } from '../../src/codec/reply-formats.ts'

/** The samples of gaps part 2.1. */
const CLASSIC =
  'type=async-response\n&serial-number=00000000-0000-0000-0000-000002d9b22a\n&merchant-order-id=inv4097763\n' +
  '&paynet-order-id=6768788\n&end-point-id=22903\n'
const JSON_TEXT =
  '{"type":"async-response","serial-number":"00000000-0000-0000-0000-000002d9b22a",\n' +
  ' "merchant-order-id":"inv4097763","paynet-order-id":"6768788","end-point-id":"22903"}'
const SAMPLE = {
  type: 'async-response',
  serialNumber: '00000000-0000-0000-0000-000002d9b22a',
  clientOrderId: 'inv4097763',
  orderId: '6768788',
  endpointId: '22903',
  extra: {},
}

const json = (fields: Readonly<Record<string, unknown>>) => JSON.stringify(fields)
const accepted = { type: 'async-response', 'paynet-order-id': '6768788' }

describe('both formats', () => {
  test.each([
    ['classic', CLASSIC],
    ['json', JSON_TEXT],
    ['JSON with white space around', `\r\n\t ${JSON_TEXT} \n`],
    ['JSON with a byte order mark', `\uFEFF${JSON_TEXT}`],
    ['classic with CR LF', CLASSIC.replaceAll('\n', '\r\n')],
  ])('[G2.1-01] [G2.1-02] [G2.1-03] [G4-01] the sample in %s is read', (_format, text) => {
    expect(readReply('sale', text)).toEqual({ kind: 'success', reply: SAMPLE })
  })

  test('[G2.1-02] a last value without its line feed may be cut, and is left out', () => {
    const read = readReply('sale', CLASSIC.slice(0, CLASSIC.indexOf('&end-point-id') - 3))
    expect(read).toMatchObject({ kind: 'incomplete', missing: ['paynet-order-id'] })
    expect(readReply('sale', CLASSIC.trimEnd())).toMatchObject({ kind: 'success', reply: { orderId: '6768788' } })
  })

  test('[S4-06] [G2.1-01] [G2.1-03] have their media types', () => {
    expect(REPLY_MEDIA_TYPES).toEqual({ json: 'application/vnd.pay+json', classic: 'text/html;charset=utf-8' })
  })

  test('[G2.1-02] in a classic reply every value ends with a line feed', () => {
    expect(writeReply(catalogue.sale.reply, SAMPLE, 'classic').split('&').sort()).toEqual(CLASSIC.split('&').sort())
  })

  test('[G2.1-03] a JSON reply is a flat object of texts', () => {
    const written: unknown = JSON.parse(writeReply(catalogue.sale.reply, SAMPLE, 'json'))
    expect(written).toEqual(JSON.parse(JSON_TEXT))
  })

  test('[G4-07] a field without a value is not written', () => {
    const text = writeReply(catalogue.status.reply, { type: 'status-response', status: 'approved' }, 'json')
    expect(JSON.parse(text)).toEqual({ type: 'status-response', status: 'approved' })
  })
})

const formats: readonly ReplyFormat[] = ['json', 'classic']
const models: readonly Model[] = operationKeys.map((key) => catalogue[key].reply)
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter((value) => value.trim() === value && !value.includes('\0'))

describe.each(formats)('in %s', (format) => {
  test.each(operationKeys)('what is written for %s is read back, with every field', (key) => {
    const model: Model = catalogue[key].reply
    const names = Object.keys(model.fields).filter((name) => name !== 'type')
    fc.assert(
      fc.property(fc.tuple(...names.map(() => text)), (texts) => {
        const fields = Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']))
        const values = { ...fields, type: 'some-response', extra: { 'brand-field': 'x' } }
        expect(readReply(key, writeReply(model, values, format))).toEqual({ kind: 'success', reply: values })
      }),
      { numRuns: 20 },
    )
  })

  test.each([
    ['validation-error', ValidationErrorResponse],
    ['error', ServerErrorResponse],
  ] as const)('[G4-06] [G9-01] [G2.1-04] what is written for a reply of type %s is read back', (type, model) => {
    const values = {
      type,
      serialNumber: '00000000-0000-0000-0000-000002d9b22a',
      clientOrderId: 'inv4097763',
      errorMessage: 'Not "enough" & more: 100 %',
      errorCode: '1',
      extra: {},
    }
    for (const key of operationKeys) {
      expect(readReply(key, writeReply(model, values, format))).toEqual({ kind: type, reply: values })
    }
  })

  test('[G13-01] names of a profile are read', () => {
    const brand = defineProfile({
      baseUrl: 'https://gate.example.com/paynet',
      wireNames: { StatusResponse: { creqFormCreq: 'creq', pareqFormMd: 'MD' } },
    })
    const written = writeReply(
      catalogue.status.reply,
      { type: 'status-response', status: 'processing', extra: { creq: 'eyJ0', MD: 'BB4A51' } },
      format,
    )
    expect(readReply('status', written, brand)).toMatchObject({
      reply: { creqFormCreq: 'eyJ0', pareqFormMd: 'BB4A51', extra: {} },
    })
  })

  test('a reply that is cut never throws, is no reply in JSON, and never shows a part of a value', () => {
    const fields = { type: 'status-response', status: 'approved', orderId: '6768788', html: '<p>ü</p>', extra: {} }
    const whole = writeReply(catalogue.status.reply, fields, format)
    for (let length = 'type=status-response\n'.length; length < whole.length; length++) {
      const read = readReply('status', whole.slice(0, length))
      expect(format === 'json' ? ['no-reply'] : ['success']).toContain(read.kind)
      expect(read.kind === 'success' ? { ...fields, ...read.reply } : fields).toEqual({
        ...fields,
        status: expect.stringMatching(/^(?:approved|processing)$/),
      })
    }
  })
})

test('the names of a classic reply also lose the white space around them', () => {
  const reply = { orderId: '6768788' }
  expect(readReply('sale', 'type=async-response\n&\npaynet-order-id=6768788\n')).toMatchObject({
    kind: 'success',
    reply,
  })
  expect(readReply('sale', '+type+=async-response\n&+paynet-order-id=6768788\n')).toMatchObject({
    kind: 'success',
    reply,
  })
})

test.each(['\\n', ' ', '\\r\\n', '\\u000a'])('[G2.1-02] values of a JSON reply also lose %j at their ends', (end) => {
  const fields = { type: 'status-response', 'paynet-order-id': '6768788', status: 'approved', currency: 'EUR' }
  const document = JSON.stringify(fields).replaceAll(/"([,}])/g, `${end}"$1`)
  expect(readReply('status', document)).toEqual({
    kind: 'success',
    reply: { type: 'status-response', orderId: '6768788', status: 'approved', currency: 'EUR', extra: {} },
  })
  expect(readReply('sale', `{"type":"validation-error${end}","paynet-order-id":"1"}`).kind).toBe('validation-error')
})

describe('JSON types', () => {
  test.each([
    ['12345678901', '12345678901'],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['6768788', '6768788'],
    ['10.50', '10.50'],
    ['0.10', '0.10'],
    ['1e3', '1e3'],
  ])('[G12-02] [G13-05] the number %s keeps its digits', (number, expected) => {
    const document = `{"type":"async-response","paynet-order-id":${number},"error-code":${number},"new":${number}}`
    expect(readReply('sale', document)).toMatchObject({
      kind: 'success',
      reply: { orderId: expected, errorCode: expected, extra: { new: expected } },
    })
  })

  test.each(['{"a":#}', '{"a": #}', '{"a":\n\t#}', '{"a":-#}', '{"a":[#]}', '{"a":[0,#]}', '{"a": [ 0 , -# ]}'])(
    '[G12-02] the number in %s keeps its digits, wherever it stands',
    (document) => {
      const digits = '12345678901234567890'
      const [, value = ''] = plainJson(document.replace('#', digits), () => true)?.[0] ?? []
      expect(value).toContain(digits)
    },
  )

  test('[G12-02] ids, amounts and codes are also read as text, and are written as text', () => {
    const document = '{"type":"status-response","status":"approved","amount":10.50,"paynet-order-id":"12345678901"}'
    const read = readReply('status', document)
    expect(read).toMatchObject({ kind: 'success', reply: { amount: '10.50', orderId: '12345678901' } })
    if (read.kind !== 'success') throw new Error(read.kind)
    const written: unknown = JSON.parse(writeReply(catalogue.status.reply, read.reply, 'json'))
    expect(written).toMatchObject({ amount: '10.50', 'paynet-order-id': '12345678901' })
  })

  test('[G13-05] an error code may be a text', () => {
    expect(readReply('sale', json({ type: 'error', 'error-code': 'Unknown error' }))).toMatchObject({
      kind: 'error',
      reply: { errorCode: 'Unknown error' },
    })
  })

  test('null counts as absent, and true and nested values are stored as their JSON', () => {
    const document = json({ ...accepted, 'error-message': null, flag: true, list: [1, 'a'], nested: { a: { b: 2 } } })
    const extra = { flag: 'true', list: '["1","a"]', nested: '{"a":{"b":"2"}}' }
    expect(readReply('sale', document)).toHaveProperty('reply.extra', extra)
    expect(readReply('sale', document)).not.toHaveProperty('reply.errorMessage')
  })

  test.each(['__proto__', 'constructor', 'extra', 'toString'])('the name %s is harmless', (name) => {
    const document = `{"type":"async-response","paynet-order-id":"1","${name}":"x"}`
    expect(readReply('sale', document)).toMatchObject({ kind: 'success', reply: { orderId: '1' } })
    expect(readReply('sale', `type=async-response&paynet-order-id=1&${name}=x`)).toMatchObject({ kind: 'success' })
    expect(Object.prototype).not.toHaveProperty('x')
  })
})

describe('what a reply means', () => {
  test.each([
    ['[G9-01] [G2.1-04] validation-error: nothing was created', { type: 'validation-error' }, 'validation-error'],
    ['[G9-01] error: the server side', { type: 'error' }, 'error'],
    ['[G9-01] an error without a type', { 'error-message': 'Wrong', 'error-code': 1 }, 'error'],
    ['an error without a type that has a message alone', { 'error-message': 'Wrong' }, 'error'],
    ['an error without a type that has a code alone', { 'error-code': '1' }, 'error'],
    ['an error without a type that names an order', { 'paynet-order-id': '1', 'error-code': '1' }, 'error'],
    ['[G9-02] no order id', { type: 'async-response' }, 'incomplete'],
    ['a blank order id', { type: 'async-response', 'paynet-order-id': ' ' }, 'incomplete'],
    ['no type', { 'paynet-order-id': '1' }, 'no-reply'],
    ['nothing at all', {}, 'no-reply'],
    ['the reply of the operation', accepted, 'success'],
    ['a type that is not documented', { ...accepted, type: 'brand-response' }, 'success'],
  ])('%s', (_title, fields, kind) => expect(readReply('sale', json(fields)).kind).toBe(kind))

  test('[G9-02] a reply without an order id is incomplete, with what is missing and why', () => {
    const document = json({
      type: 'async-response',
      'error-message': 'No such endpoint',
      'error-code': 5,
      'serial-number': '7',
    })
    expect(readReply('sale', document)).toEqual({
      kind: 'incomplete',
      missing: ['paynet-order-id'],
      reply: { type: 'async-response', errorMessage: 'No such endpoint', errorCode: '5', serialNumber: '7', extra: {} },
    })
    expect(readReply('saleForm', 'type=async-form-response\n')).toMatchObject({
      kind: 'incomplete',
      missing: ['paynet-order-id', 'redirect-url'],
    })
  })

  test('[G9-01] [G2.3-01] a decline is a status, whatever error it carries', () => {
    const document = json({
      type: 'status-response',
      status: 'declined',
      'error-message': 'Expired card',
      'error-code': 101,
    })
    expect(readReply('status', document)).toMatchObject({
      kind: 'success',
      reply: { status: 'declined', errorMessage: 'Expired card', errorCode: '101' },
    })
  })

  test.each([
    ['{"type":"status-response"}', 'processing'],
    ['type=status-response\n&status=\n', 'processing'],
    ['{"type":"status-response","status":"approved"}', 'approved'],
    ['{"type":"status-response","status":"on-hold"}', 'on-hold'],
    ['{"type":"status-response","status":"On-Hold"}', 'On-Hold'],
    ['{"type":"status-response","status":"APPROVED"}', 'approved'],
    ['type=status-response\n&status=Declined\n', 'declined'],
  ])('[G5-02] the status of %j is %s', (document, status) => {
    expect(readReply('status', document)).toMatchObject({ kind: 'success', reply: { status } })
  })

  test('[G5-02] an error has no status', () => {
    expect(readReply('status', json({ type: 'error' }))).not.toHaveProperty('reply.status')
  })

  test.each(['async-response', 'create-card-ref-response', 'something-else'])(
    '[G12-09] [G4-03] create-card-ref is read whatever its type says: %s',
    (type) => {
      expect(readReply('createCardRef', json({ type, status: 'approved', 'card-ref-id': 1326586 }))).toMatchObject({
        kind: 'success',
        reply: { cardRefId: '1326586' },
      })
    },
  )

  test.each(['redirect_url', 'redirect-url', 'redirect-to'])('[G13-13] [S2-14] %s is read as one field', (name) => {
    const url = 'https://gate.example.com/paynet/form?token=1'
    expect(readReply('sale', json({ ...accepted, [name]: url }))).toMatchObject({ reply: { redirectUrl: url } })
    expect(readReply('saleForm', json({ ...accepted, [name]: url }))).toMatchObject({ reply: { redirectUrl: url } })
    expect(readReply('status', json({ type: 'status-response', [name]: url }))).toMatchObject({
      reply: { redirectTo: url },
    })
  })

  test.each(['tds-status', 'tds_status'])('[G4-09] %s is read', (name) => {
    expect(readReply('status', json({ type: 'status-response', [name]: 'CReqForm' }))).toMatchObject({
      reply: { tdsStatus: 'CReqForm' },
    })
  })

  test.each(['sale_approved', 'SALE_FAILED', 'brand_stage'])('[G5-05] the order stage %s is kept', (stage) => {
    expect(readReply('status', json({ type: 'status-response', 'order-stage': stage }))).toMatchObject({
      reply: { orderStage: stage },
    })
  })

  test.each([
    'sale',
    'preauth',
    'capture',
    'cancel',
    'reversal',
    'transfer',
    'payout',
    'account verification',
    'chargeback',
    'fraud',
    'dispute',
    'brand-type',
  ])('[G5-04] the transaction type %s is kept', (type) => {
    expect(readReply('status', json({ type: 'status-response', 'transaction-type': type }))).toMatchObject({
      reply: { transactionType: type },
    })
  })
})

const members = (count: number) => Array.from({ length: count }, (_, at) => `"n${at}":""`).join(',')

test('a reply in JSON may have 500 members, and nest eight levels deep', () => {
  expect(readReply('sale', `{"type":"error",${members(499)}}`).kind).toBe('error')
  expect(readReply('sale', '{"type":"error","a":[[[[[[[]]]]]]]}')).toMatchObject({
    reply: { extra: { a: '[[[[[[[]]]]]]]' } },
  })
})

test('a reply may be a megabyte long, in both formats', () => {
  const page = (around: number) => 'x'.repeat(1_048_576 - around)
  expect(readReply('sale', `{"type":"error","html":"${page('{"type":"error","html":""}'.length)}"}`).kind).toBe('error')
  expect(readReply('sale', `type=error&html=${page('type=error&html='.length)}`).kind).toBe('error')
})

test('the end of a long classic reply is found in no more than linear time', () => {
  const text = `type=error\n&error-message=cut${'\n'.repeat(400_000)}x`
  expect(readReply('sale', text)).toEqual({ kind: 'error', reply: { type: 'error', extra: {} } })
}, 5000)

describe('no reply', () => {
  test.each(
    (
      [
        ['', 'nothing'],
        [' \n', 'white space'],
        ['<html><body>502 Bad Gateway</body></html>', 'a page'],
        ['<form><input type="hidden" name="type" value="async-response"></form>', 'a page with a form'],
        [JSON_TEXT.slice(0, -1), 'JSON that is cut'],
        [`${JSON_TEXT}x`, 'JSON with more behind it'],
        ['[{"type":"async-response"}]', 'a list'],
        ['null', 'null'],
        ['"type=async-response"', 'a JSON text'],
        ['42', 'a number'],
        ['status=approved', 'a form without a type'],
        ['error-message=Wrong\n', 'a form of an error without a type'],
        ['<a href="/in?next=%2F&type=validation-error&error-message=no">Log in</a>', 'a page with a link'],
        ['Blocked: http://proxy.example/?url=1&type=async-response&paynet-order-id=1', 'a sentence with an address'],
        ['type=async-response&paynet-order-id=%', 'a form with a broken escape'],
        ['type=async-response&paynet-order-id=1&paynet-order-id=2', 'a form that contradicts itself'],
        ['{"type":"async-response","paynet-order-id":"1","paynet-order-id":"2"}', 'JSON that contradicts itself'],
        ['{"type":"status-response","status":"declined","status":"approved","x":1}', 'JSON with two statuses'],
        [
          '{"type":"error","paynet-order-id":"1","paynet\\u002dorder-id":"2"}',
          'JSON that names a field twice in escapes',
        ],
        ['{"type":"error","paynet-order-id":"1","paynet-order-id":"1"}', 'JSON that gives an id twice'],
        [`type=async-response&html=${'x'.repeat(1_048_576)}`, 'a form of more than a megabyte'],
        [`${JSON_TEXT.slice(0, -1)},"html":"${'x'.repeat(1_048_576)}"}`, 'JSON of more than a megabyte'],
        [`${JSON_TEXT.slice(0, -1)},${members(500)}}`, 'JSON with more than 500 members'],
        [`${JSON_TEXT.slice(0, -1)},"a":[[[[[[[[]]]]]]]]}`, 'JSON that nests deeper than eight levels'],
      ] as const
    ).map(([document, title]) => [title, document] as const),
  )('is %s', (_title, document) => expect(readReply('sale', document)).toEqual({ kind: 'no-reply' }))

  test.each([
    ['{"type":"status-response","status":"appr\noved"}', 'JSON with a line feed in the status'],
    ['{"type":"status-response","amount":01}', 'JSON with an amount that is no number'],
    [
      '{"type":"status-response","descriptor":"Cafe ", x","status":"approved"}',
      'JSON whose quotes contradict each other',
    ],
    ['type=status-response&status=approved&amount=10.42%', 'a form with a bare percent sign in the amount'],
    ['type=status-response&status=%E0approved', 'a form with a Latin-1 character in the status'],
    ['type=status-response&status=approved&currency=é', 'a form with a raw character in the currency'],
  ])('is %j: %s', (document) => expect(readReply('status', document)).toEqual({ kind: 'no-reply' }))

  test('never throws, whatever the text', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .dictionary(fc.constantFrom('type', 'status', 'error-code', 'x'), fc.jsonValue())
        .map((value) => JSON.stringify(value)),
      fc.stringMatching(/^type=[a-z%&=+0-9-]*$/),
    )
    fc.assert(
      fc.property(fc.constantFrom(...operationKeys), anything, (key, document) => {
        expect(readReply(key, document).kind).toBeTypeOf('string')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('[F-A4] a label that does not decode is kept as it can be, and costs nothing', () => {
  const status = { type: 'status-response', orderId: '6768788', status: 'approved', amount: '10.42', currency: 'EUR' }
  const classic = 'type=status-response\n&paynet-order-id=6768788\n&status=approved\n&amount=10.42\n&currency=EUR\n'
  const document =
    '{"type":"status-response","paynet-order-id":6768788,"status":"approved","amount":10.42,"currency":"EUR"'

  test.each([
    ['Latin-1', 'cardholder-name=J%F6rg+M%FCller', { cardholderName: 'J\ufffdrg M\ufffdller' }],
    ['Windows-1251', 'error-message=%CE%F8+ok', { errorMessage: '\ufffd\ufffd ok' }],
    ['UTF-8 beside Latin-1', 'descriptor=%D0%9A%F6%D0', { descriptor: 'К\ufffd\ufffd' }],
    ['characters that are not escaped', 'descriptor=Кафе+%C3%A9', { descriptor: 'Кафе é' }],
    ['a bare percent sign', 'descriptor=5% off', { descriptor: '5% off' }],
    ['a percent sign at the end', 'descriptor=100%', { descriptor: '100%' }],
    ['a null character', 'descriptor=a%00b', { descriptor: 'a\ufffdb' }],
    ['an ampersand', 'descriptor=Marks & Spencer', { descriptor: 'Marks', extra: { Spencer: '' } }],
    ['a value without a name', '=x', {}],
    ['a name in Latin-1', 'caf%E9=1', { extra: { 'caf\ufffd': '1' } }],
    ['a label twice', 'descriptor=a&descriptor=b', { descriptor: 'a' }],
    ['an unknown label twice', 'x=a&x=b', { extra: { x: 'a' } }],
    ['a label under two names', 'cardholder-name=a&card-holder-name=b', { cardholderName: 'a' }],
  ])('in the classic format: %s', (_what, label, read) => {
    expect(readReply('status', `${classic}&${label}\n`)).toEqual({
      kind: 'success',
      reply: { extra: {}, ...status, ...read },
    })
  })

  test.each([
    ['a raw line feed', '"descriptor":"two\nlines"', { descriptor: 'two\nlines' }],
    ['a wrong escape', String.raw`"descriptor":"C:\Shop \'a\' \u12"`, { descriptor: String.raw`C:\Shop 'a' \u12` }],
    ['half of a surrogate pair', String.raw`"descriptor":"a\ud83d"`, { descriptor: 'a\ufffd' }],
    ['a null character', String.raw`"descriptor":"a\u0000b"`, { descriptor: 'a\ufffdb' }],
    ['no JSON at all', '"flag":True', { extra: { flag: 'True' } }],
    ['quotes that are not escaped', '"descriptor":"Cafe "Mocha""', { descriptor: '"Cafe "Mocha""' }],
    ['a label twice', '"descriptor":"a","descriptor":"b"', { descriptor: 'a' }],
    ['an object', '"descriptor":{"a":[1]}', { descriptor: '{"a":["1"]}' }],
  ])('in JSON: %s', (_what, label, read) => {
    for (const end of ['', '\n', '\0']) {
      expect(readReply('status', `\ufeff${document},${label}}${end}`)).toEqual({
        kind: 'success',
        reply: { extra: {}, ...status, ...read },
      })
    }
  })

  test.each([
    ['error-code=2\n&error-code=7', { errorCode: '2; 7' }],
    ['error-code=7\n&error-code=2', { errorCode: '7; 2' }],
    ['error-code=2\n&error-code=2', { errorCode: '2' }],
    ['error-code=2\n&error-code=', { errorCode: '2' }],
    ['error-code=2%ff', { errorCode: '2\ufffd' }],
    ['error-message=Order+not+found\n&error-message=wrong+login', { errorMessage: 'Order not found; wrong login' }],
  ])('but nobody reads half of what is said of an error: %j', (said, read) => {
    const reply = { extra: {}, type: 'validation-error', ...read }
    expect(readReply('status', `type=validation-error\n&${said}\n`)).toEqual({ kind: 'validation-error', reply })
  })

  test('and what decides may be anywhere behind it', () => {
    expect(readReply('status', `x=%&${classic}`)).toMatchObject({ kind: 'success', reply: status })
    expect(readReply('status', `{"x":"\n",${document.slice(1)}}`)).toMatchObject({ kind: 'success', reply: status })
  })

  test('in no more than linear time', () => {
    const escapes = '%F6%D0%9A'.repeat(100_000)
    expect(readReply('status', `type=error&error-message=${escapes}`).kind).toBe('error')
    expect(readReply('status', `{"type":"error","error-message":"${'\\q\n'.repeat(300_000)}"}`).kind).toBe('error')
  }, 5000)
})

test('an operation that does not exist is the caller’s mistake, and throws', () => {
  expect(() => readReply('nothing' as never, '{"type":"status-response","status":"approved"}')).toThrow(TypeError)
})

test('a reply with a field under two names keeps its unknown fields', () => {
  const text = '{"type":"status-response","status":"approved","tds-status":"x","tds_status":"x","new-field":"1"}'
  expect(readReply('status', text)).toMatchObject({ reply: { tdsStatus: 'x', extra: { 'new-field': '1' } } })
})

test('every reply of the catalogue differs from a failure by its type', () => {
  expect(models.every((model) => model.fields['type']?.necessity === 'required')).toBe(true)
})
