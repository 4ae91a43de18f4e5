import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { parseForm } from '@tallystick/core'
import { parseAuthorizationHeader, rsaPublicKey, verifyOAuth } from '@tallystick/signing'
import { describe, expect, test } from 'vitest'
import { KEY, NOW, tryCommand } from '../try-command.ts'

/** The documented example of the specification, part 5.1: vector D1. */
const SALE = ['client_orderid=902B4FF5', 'amount=10.42', 'currency=USD', 'email=john.smith@gmail.com']
const CONTROL = 'c6bdd88a78834ef4b863b088827a459f039e8257'

const sale = ['sign', 'sale', '--endpoint', '1111', '--key-file', 'control.key', ...SALE]

const GATEWAY = ['--endpoint', '253', '--base-url', 'https://gate.example.com/paynet', '--login', 'shop']

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

describe('sign, with a control', () => {
  test('shows each term, the text and the control, and never the key', async () => {
    const { code, printed } = await tryCommand(sale)
    expect(code).toBe(0)
    expect(printed).toMatch(
      /endpointId +1111\n +clientOrderId +902B4FF5\n +amountInCents +1042\n +email +john.smith@gmail.com\n/,
    )
    expect(printed).toContain('text     1111902B4FF51042john.smith@gmail.com[control key]\n')
    expect(printed).toContain(`control  ${CONTROL}\n`)
    expect(printed).not.toContain(KEY)
  })

  test('shows that a term is empty', async () => {
    const { printed } = await tryCommand([
      'sign',
      'status',
      '--endpoint',
      '1',
      '--key-file',
      'control.key',
      'client_orderid=7',
    ])
    expect(printed).toMatch(/ {2}orderId +\(empty\)\n/)
  })

  test('prints the form alone, ready to be sent', async () => {
    const { printed } = await tryCommand([...sale, '--form'])
    expect(Object.fromEntries(parseForm(printed.trim()))).toEqual({
      client_orderid: '902B4FF5',
      amount: '10.42',
      currency: 'USD',
      email: 'john.smith@gmail.com',
      control: CONTROL,
    })
  })

  test('sends and signs the login where the operation has one', async () => {
    const args = ['sign', 'void', '--endpoint', '1', '--login', 'shop', '--key-file', 'control.key', 'client_orderid=a']
    expect((await tryCommand(args)).printed).toMatch(/\n +login +shop\n +clientOrderId +a\n/)
    expect((await tryCommand([...args, '--form'])).printed).toMatch(/&login=shop&/)
  })

  test('prints JSON for programs', async () => {
    const { printed } = await tryCommand([...sale, '--json'])
    expect(JSON.parse(printed)).toMatchObject({
      operation: 'sale',
      scheme: 'control',
      terms: [['endpointId', '1111'], ['clientOrderId', '902B4FF5'], ['amountInCents', '1042'], expect.anything()],
      control: CONTROL,
    })
  })

  test('reads the key from the environment', async () => {
    const args = ['sign', 'sale', '--endpoint', '1111', ...SALE]
    const { printed } = await tryCommand(args, {}, { environment: { TALLYSTICK_CONTROL_KEY: KEY } })
    expect(printed).toContain(CONTROL)
  })

  test('signs decimals of the currency if the profile says so', async () => {
    const yen = [
      'sign',
      'sale',
      '--endpoint',
      '1',
      '--key-file',
      'control.key',
      'client_orderid=a',
      'amount=500',
      'currency=JPY',
    ]
    const files = { 'brand.json': '{ "exponents": "iso-4217" }' }
    expect((await tryCommand(yen)).printed).toMatch(/amountInCents +50000\n/)
    expect((await tryCommand([...yen, '--profile', 'brand.json'], files)).printed).toMatch(/amountInCents +500\n/)
  })

  test.each(['saleForm', 'sale-form', 'SALEFORM'])('knows an operation by any of its names: %s', async (word) => {
    const { printed } = await tryCommand(['sign', word, ...sale.slice(2)])
    expect(printed).toMatch(/^SALEFORM \(\/api\/v2\/sale-form\)/)
  })

  test('says what a gateway would refuse, and signs', async () => {
    const { code, printed, warned } = await tryCommand([...sale, 'adress1=1 Main Street'])
    expect(code).toBe(0)
    expect(printed).toContain(CONTROL)
    expect(warned).toContainEqual(expect.stringMatching(/^orderDesc \(order_desc\) is required/))
    expect(warned).toContainEqual('adress1 is no documented field of SALE: did you mean address1?')
  })

  test('masks a card number that stands where a name belongs', async () => {
    const { warned } = await tryCommand([...sale, '4444555566661111=1'])
    expect(warned).toContainEqual('444455******1111 is no documented field of SALE: it is sent as it is')
  })
})

describe('sign, by OAuth', () => {
  const payout = [
    'sign',
    'payout',
    ...GATEWAY,
    '--key-file',
    'control.key',
    'client_orderid=7',
    'amount=5.00',
    'currency=USD',
  ]

  test('shows the base string and the header', async () => {
    const { printed } = await tryCommand(payout)
    expect(printed).toContain(
      '  POST&https%3A%2F%2Fgate.example.com%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F253&amount%3D5.00%26client_orderid%3D7' +
        `%26currency%3DUSD%26oauth_consumer_key%3Dshop%26oauth_nonce%3Da-nonce%26oauth_signature_method%3DHMAC-SHA1` +
        `%26oauth_timestamp%3D${NOW}%26oauth_version%3D1.0\n`,
    )
    expect(printed).toMatch(/\nAuthorization: OAuth oauth_consumer_key="shop", .*oauth_signature="[^"]+"/)
    expect(printed).not.toContain(KEY)
  })

  test('masks cards where it shows what was signed', async () => {
    const { printed } = await tryCommand([...payout, 'credit_card_number=4444555566661111', 'cvv2=737'])
    expect(printed).toContain('444455******1111')
    expect(printed).not.toMatch(/4444555566661111|737/)
  })

  test('signs by RSA, and verifies with the public key', async () => {
    const args = ['sign', 'transfer', ...GATEWAY, '--private-key-file', 'private.pem', '--json', 'client_orderid=7']
    const { printed } = await tryCommand(args, { 'private.pem': pair.privateKey })
    const { url, body, authorization, scheme } = JSON.parse(printed)
    const parsed = parseAuthorizationHeader(authorization)
    if (!parsed.ok) throw new Error(parsed.message)
    const key = rsaPublicKey(pair.publicKey)
    const verdict = verifyOAuth({ method: scheme, key, httpMethod: 'POST', url, body, header: parsed.header, now: NOW })
    expect(scheme).toBe('RSA-SHA256')
    expect(verdict).toMatchObject({ ok: true, consumerKey: 'shop', nonce: 'a-nonce' })
  })

  test('repeats a signature by its nonce and timestamp', async () => {
    const fixed = [...payout, '--nonce', 'n1', '--timestamp', '1900000000', '--json']
    const [one, other] = [await tryCommand(fixed), await tryCommand(fixed, {}, { nonce: () => 'b', now: () => 5 })]
    expect(one.printed).toBe(other.printed)
    expect(JSON.parse(one.printed).authorization).toContain('oauth_timestamp="1900000000"')
  })

  test('prints a command that a shell takes apart as it is meant', async () => {
    const { printed } = await tryCommand([...payout, "order_desc=It's 5 %", '--curl'])
    // The shell shows the arguments that curl would get.
    const { stdout } = spawnSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${printed}`], { encoding: 'utf8' })
    const [url, , accept, , authorization, , form = ''] = stdout.split('\n')
    expect([url, accept]).toEqual([
      'https://gate.example.com/paynet/api/v2/payout/253',
      'Accept: application/vnd.pay+json',
    ])
    expect(authorization).toMatch(/^Authorization: OAuth /)
    expect(Object.fromEntries(parseForm(form))).toMatchObject({ order_desc: "It's 5 %", oauth_nonce: 'a-nonce' })
  })
})

describe('a key', () => {
  const signed = async (text: string) =>
    await tryCommand(['sign', 'void', '--endpoint', '1', '--key-file', 'k', 'client_orderid=1', 'orderid=2'], {
      k: text,
    })

  test.each([
    [`"${KEY}"`, 'is between quotes'],
    [`'${KEY}'\n`, 'is between quotes'],
    [`CONTROL_KEY=${KEY}`, 'has a name before it'],
    [`${KEY}\nother`, 'has more than one line'],
  ])('with something that got into it by accident is used, and said: %#', async (text, what) => {
    const { code, warned } = await signed(text)
    expect([code, warned]).toEqual([
      0,
      expect.arrayContaining([`the key in k ${what}: all of it is taken for the key`]),
    ])
  })

  test('has no white space around it, in a file or in the environment', async () => {
    const { printed, warned } = await signed(`\uFEFF ${KEY}\r\n`)
    const environment = { TALLYSTICK_CONTROL_KEY: ` ${KEY}\n` }
    const args = ['sign', 'void', '--endpoint', '1', 'client_orderid=1', 'orderid=2']
    expect((await tryCommand(args, {}, { environment })).printed).toBe(printed)
    expect(warned.filter((line) => line.startsWith('the key'))).toEqual([])
  })
})

describe('sign refuses', () => {
  test.each([
    [['sign'], 'OPERATION is missing'],
    [['sign', 'sale', '--endpoint', '1', 'amount'], 'FIELD=VALUE'],
    [['sign', 'sale', '--endpoint', '1', 'amount=1', 'amount=2'], 'amount is given twice'],
    [['sign', 'sale'], '--endpoint is missing'],
    [['sign', 'sale', '--endpoint', '1', '--group', '2'], 'exclude each other'],
    [['sign', 'sale', '--endpoint', 'x'], '--endpoint must be a whole number'],
    [['sign', 'sale', '--endpoint', '1'], 'give --key-file FILE, or set TALLYSTICK_CONTROL_KEY'],
    [['sign', 'sale', '--endpoint', '1', '--key-file', 'empty.key'], 'empty.key is empty'],
    [['sign', 'sale', '--endpoint', '1', '--key-file', 'none.key'], 'none.key cannot be read'],
    [[...sale, 'amount=1,50'].filter((arg) => arg !== 'amount=10.42'), 'amount (amount) must be'],
    [['sign', 'payout', '--endpoint', '1', '--key-file', 'control.key'], '--base-url is missing'],
    [[...sale, '--curl'], '--base-url is missing'],
    [['sign', 'payout', ...GATEWAY.slice(0, 4), '--key-file', 'control.key'], '--login is missing'],
    [['sign', 'transfer', ...GATEWAY], '--private-key-file is missing'],
    [['sign', 'transfer', ...GATEWAY, '--private-key-file', 'control.key'], 'it is not PEM'],
    [[...sale, '--timestamp', 'now'], '--timestamp takes seconds'],
    [[...sale, '--profile', 'empty.key'], 'empty.key must hold a JSON object'],
    [[...sale, '--profile', 'slip.json'], 'exponent; did you mean exponents?'],
  ])('%j', async (args, says) => {
    const files = { 'empty.key': '', 'slip.json': '{ "exponent": "iso-4217" }' }
    await expect(tryCommand(args, files)).rejects.toThrow(says)
  })
})

test('[F-B10] a key file that every user may read is used, with a warning', async () => {
  const warning = 'control.key may be read by every user of this machine: chmod 600 control.key'
  const isOpen = (file: string) => file === 'control.key'
  expect((await tryCommand(sale, {}, { isOpen })).warned).toContain(warning)
  expect((await tryCommand(sale)).warned).not.toContain(warning)
})
