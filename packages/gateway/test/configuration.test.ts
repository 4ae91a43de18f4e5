import { generateKeyPairSync } from 'node:crypto'
import { Secret } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import {
  createGateway,
  type EndpointOptions,
  type GatewayOptions,
  type MerchantOptions,
  simulator,
} from '../src/index.ts'
import { merchants, oauthSigned, rsaKeys, SHOP, sale } from './support/signed-requests.ts'
import { testGateway } from './support/test-gateway.ts'

/** The error of `createGateway` for a merchant with this change. */
function merchantError(change: Partial<MerchantOptions>): string {
  const [shop] = merchants()
  return configurationError({
    merchants: [{ ...shop, login: 'shop', controlKey: SHOP.controlKey, endpoints: [{ id: '1' }], ...change }],
  })
}

function endpointError(change: Partial<EndpointOptions>): string {
  return merchantError({ endpoints: [{ id: '1' }, { id: '2', ...change }] })
}

function configurationError(options: Partial<GatewayOptions>): string {
  try {
    createGateway({ publicUrl: 'https://gate.example.com', merchants: merchants(), acquirer: simulator(), ...options })
  } catch (error) {
    return error instanceof TypeError ? error.message : 'another kind of error'
  }
  return 'none'
}

/** A value that only a program without types can give. */
const untyped = (value: unknown) => value as never

describe('a gateway is not made from', () => {
  test('[F-D2] no bank, unless it is a sandbox', () => {
    const problem = configurationError({ acquirer: undefined })
    expect(problem).toMatch(/^createGateway: acquirer must be given: .*sandbox: true, or acquirer: simulator\(\)/)
    expect(configurationError({ acquirer: undefined, sandbox: true })).toBe('none')
  })

  test.for(['key', 'hunter2-hunter2', '12345678901234567890123456789012345678', 'B17F59B4-A7DC-41B4-8FF9-37D986B43D2'])(
    '[F-B3] a control key that can be guessed, unless it is a sandbox: %s',
    (controlKey) => {
      expect(merchantError({ controlKey })).toMatch(
        /^merchants\[0\]\.controlKey: can be guessed: it has about \d+ bits, and 128 are needed; `tallystick-gateway key` makes one$/,
      )
      expect(
        configurationError({ sandbox: true, merchants: [{ login: 'shop', controlKey, endpoints: [{ id: 1 }] }] }),
      ).toBe('none')
    },
  )

  test.for(['...', '\u2026'])(
    '[F-B3] the placeholder of a sample as a control key, in a sandbox too: %s',
    (controlKey) => {
      const options = { sandbox: true, merchants: [{ login: 'shop', controlKey, endpoints: [{ id: 1 }] }] }
      expect(configurationError(options)).toMatch(/^merchants\[0\]\.controlKey: is only a placeholder/)
    },
  )

  test('[F-B3] two merchants with one control key, unless it is a sandbox', () => {
    const merchantsOf = (login: string, id: number) => ({ login, controlKey: SHOP.controlKey, endpoints: [{ id }] })
    const options = { merchants: [merchantsOf('one', 1), merchantsOf('other', 2)] }
    expect(configurationError(options)).toBe('merchants: one and other have the same controlKey; give each its own')
    expect(configurationError({ ...options, sandbox: true })).toBe('none')
  })

  test('no merchants', () => {
    expect(configurationError({ merchants: [] })).toBe('merchants is empty; configure at least one')
  })

  test.for(['', ' ', undefined])('a login of "%s"', (login) => {
    expect(merchantError({ login: untyped(login) })).toBe('merchants[0].login is empty; give the merchant a login')
  })

  test.for<readonly [MerchantOptions['endpoints'] | undefined]>([[[]], [undefined]])(
    'no endpoints (%j)',
    ([endpoints]) => {
      expect(merchantError({ endpoints: untyped(endpoints) })).toBe(
        'merchants[0].endpoints is empty; give the merchant an endpoint',
      )
    },
  )

  test.for([
    ['login', [{ id: '9' }], 'shop'],
    ['endpoint', [{ id: '1' }], 'rival'],
    ['endpoint', [{ id: 1n }], 'rival'],
  ] as const)('two merchants with one %s', ([what, endpoints, login]) => {
    const shop = { login: 'shop', controlKey: SHOP.controlKey, endpoints: [{ id: '1' }] }
    const message = configurationError({ merchants: [shop, { ...shop, login, endpoints }] })
    expect(message).toMatch(
      what === 'login'
        ? /^merchants: two have the same login, shop: /
        : /^merchants: two endpoints or groups have the same id/,
    )
  })

  test.for(['0', '', '01', '-1', '1.5', 'abc', '9223372036854775808', -1, 0, undefined, null])(
    '[G13-27] an endpoint id of %s',
    (id) => {
      const message = endpointError({ id: untyped(id) })
      expect(message).toMatch(/^merchants\[0\]\.endpoints\[1\]\.id: endpointId must be a whole number from 1 to /)
    },
  )

  test.for([2 ** 53, 1.25, Number.NaN, Number.POSITIVE_INFINITY])(
    '[G13-27] an endpoint id of %s, which a number does not hold exactly',
    (id) => {
      expect(endpointError({ id })).toBe(
        'merchants[0].endpoints[1].id: must be a whole number below 2^53; write a larger one as text',
      )
    },
  )

  test.for([
    [['usd'], 'usd is not a currency; did you mean USD?'],
    [['EUR', 'EURO'], 'EURO is not a currency; did you mean EUR?'],
    [['EUR', 'QQQ'], 'QQQ is not a currency; write the three letters of ISO 4217, such as USD'],
    [['EUR', 'XXX'], 'XXX is not a currency; write the three letters of ISO 4217, such as USD'],
    [['USD '], 'USD  is not a currency; did you mean USD?'],
    [[], 'is empty, so nothing could be paid; leave it out for every currency'],
  ] as const)('the currencies %j', ([currencies, problem]) => {
    expect(endpointError({ currencies })).toBe(`merchants[0].endpoints[1].currencies: ${problem}`)
  })

  test.for([
    [{ min: '1,00' }, '1,00 is not an amount; write major units with a dot, such as 10.50'],
    [{ max: '-1' }, '-1 is not an amount; write major units with a dot, such as 10.50'],
    [{ min: '' }, ' is not an amount; write major units with a dot, such as 10.50'],
    [{ max: '1.00001' }, '1.00001 is not an amount; write major units with a dot, such as 10.50'],
    [{ min: '10.01', max: '10' }, 'min is above max'],
  ] as const)('the limits %j', ([limits, problem]) => {
    expect(endpointError({ limits })).toBe(`merchants[0].endpoints[1].limits: ${problem}`)
  })

  test.for([
    [{ time: '24:00' }, 'A time must be HH:MM from 00:00 to 23:59'],
    [{ timeZone: 'Europe/Atlantis' }, 'Invalid time zone specified: Europe/Atlantis'],
  ] as const)('a time of charges that is none: %o', ([charges, problem]) => {
    expect(endpointError({ charges })).toBe(`merchants[0].endpoints[1].charges: ${problem}`)
  })

  test.for(['settleAfter', 'holdFor', 'payoutCheckFor', 'formLifetime'] as const)(
    'a time of %s that is none',
    (name) => {
      expect(endpointError({ [name]: untyped('soon') })).toBe(
        `merchants[0].endpoints[1].${name}: A duration must be milliseconds from 0 on, or like 30s, 15m, 24h, 14d; it is soon`,
      )
    },
  )

  test.for([
    ['holdFor', 0],
    ['payoutCheckFor', '0s'],
    ['formLifetime', '0m'],
  ] as const)('a time of %s that is over at once', ([name, time]) => {
    expect(endpointError({ [name]: time })).toBe(
      `merchants[0].endpoints[1].${name}: must be longer than 0: nobody could act in that time; leave it out for the default`,
    )
  })

  test.for(['settleAfter', 'holdFor', 'payoutCheckFor', 'formLifetime'] as const)(
    'a time of %s that no store could keep, or that leads to no date',
    (name) => {
      const times = [
        Number.POSITIVE_INFINITY,
        0.5,
        1000 / 3,
        '36501d',
        '999999999999w',
        `${'9'.repeat(400)}ms`,
      ] as const
      for (const time of times) {
        expect(endpointError({ [name]: time })).toBe(
          `merchants[0].endpoints[1].${name}: must be whole milliseconds, and 36500d at most; it is ${time}`,
        )
      }
      expect(endpointError({ [name]: '36500d' })).toBe('none')
    },
  )

  test.for(['', 'shop.example.com/cb', 'ftp://shop.example.com', 'https://user:secret@shop.example.com/'])(
    'an address "%s" for later events',
    (notifyUrl) => {
      const message = endpointError({ notifyUrl })
      expect(message).toMatch(/^merchants\[0\]\.endpoints\[1\]\.notifyUrl: is not an address that can be called/)
      expect(message).not.toContain('secret')
    },
  )

  test.for([
    ['http://shop.example.com:3000/cb', 'must name port 80 or 8080 with http, 443 or 8443 with https'],
    ['http://127.0.0.1/cb', 'must name a public host'],
  ])('an address %s for later events, which only a sandbox or a sender of its own calls', ([notifyUrl = '', rule]) => {
    expect(endpointError({ notifyUrl })).toBe(
      `merchants[0].endpoints[1].notifyUrl: is not an address that can be called: it ${rule}`,
    )
    const calling = [{ login: 'shop', controlKey: SHOP.controlKey, endpoints: [{ id: '1', notifyUrl }] }]
    expect(configurationError({ merchants: calling, sandbox: true })).toBe('none')
    const sendCallback = async () => ({ status: 200 })
    expect(configurationError({ merchants: calling, sendCallback })).toBe('none')
  })

  test('an address for later events whose query has what a callback says', () => {
    expect(endpointError({ notifyUrl: 'https://shop.example.com/cb?shop=7&status=x' })).toBe(
      'merchants[0].endpoints[1].notifyUrl: must not have status in its query: a callback adds it',
    )
  })

  test.for([
    [{ id: '9', endpoints: [] }, 'merchants[0].groups[1].endpoints is empty; name the endpoints of the group'],
    [{ id: '9', endpoints: undefined }, 'merchants[0].groups[1].endpoints is empty; name the endpoints of the group'],
    [{ id: '9', endpoints: [1, '3'] }, 'merchants[0].groups[1].endpoints[1]: the merchant has no endpoint 3'],
    [{ id: 'nine', endpoints: [1] }, 'merchants[0].groups[1].id: endpointId must be a whole number from 1 to'],
    [{ id: 2n, endpoints: [1] }, 'merchants: two endpoints or groups have the same id, 2: make each id unique'],
    [{ id: 8, endpoints: [1] }, 'merchants: two endpoints or groups have the same id, 8: make each id unique'],
  ] as const)('the group %o', ([group, problem]) => {
    const groups = [{ id: '8', endpoints: ['1'] }, untyped(group)]
    expect(merchantError({ endpoints: [{ id: 1 }, { id: 2 }], groups })).toContain(problem)
  })

  test('a login of more than 20 characters, which no request could name', () => {
    expect(merchantError({ login: 'a'.repeat(21) })).toBe(
      'merchants[0].login is longer than 20 characters; no request could name it',
    )
  })

  test.for(['first_name', 'firstname', '', 'toString'])('a required field of no request: %s', (field) => {
    expect(endpointError({ requiredFields: [field] })).toBe(
      `merchants[0].endpoints[1].requiredFields: no request has a field ${field}; use the names of the models`,
    )
  })

  test.for(['', undefined, null, 42])('a control key of %s', (controlKey) => {
    expect(merchantError({ controlKey: untyped(controlKey) })).toMatch(/^merchants\[0\]\.controlKey: .*empty/)
  })

  test.for([' ', '\n', new Secret('\t ')])('a control key of white space alone (%j)', (controlKey) => {
    expect(merchantError({ controlKey })).toBe(
      "merchants[0].controlKey: is only white space; give the merchant's control key",
    )
  })

  test.for([' hunter2', 'hunter2\n', new Secret('hunter2 ')])(
    'a control key with white space at an end (%#), which no client signs with',
    (controlKey) => {
      expect(merchantError({ controlKey })).toBe(
        'merchants[0].controlKey: begins or ends with white space, such as the newline of a file; remove it',
      )
    },
  )

  test('a control key with half a character, which it does not quote', () => {
    const message = merchantError({ controlKey: 'hunter2\ud800' })
    expect(message).toMatch(/^merchants\[0\]\.controlKey: .*lone surrogate/)
    expect(message).not.toContain('hunter2')
  })

  const pem = (key: { export(options: { type: string; format: string }): string | Buffer }, type: string) =>
    key.export({ type, format: 'pem' }).toString()

  test('[S5.2-16] [S8-02] public keys that are none, or are too short, or are of another kind', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { privateKey } = rsaKeys()
    const keys: ReadonlyArray<readonly [publicKey: string, problem: string]> = [
      ['', 'it is empty'],
      ['x', 'not PEM'],
      ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', 'damaged'],
      [pem(untyped(short.publicKey), 'spki'), '1024 bits'],
      [pem(untyped(curve.publicKey), 'spki'), 'type ec'],
      [pem(untyped(privateKey), 'pkcs8'), 'private key'],
    ]
    for (const [publicKey, problem] of keys) {
      expect(merchantError({ publicKey })).toMatch(/^merchants\[0\]\.publicKey: /)
      expect(merchantError({ publicKey })).toContain(problem)
    }
  })

  test.for([
    '',
    'gate.example.com/paynet',
    'ftp://gate.example.com',
    'https://',
    'https://user:secret@gate.example.com',
    'https://gate.example.com/paynet?x=1',
    'https://gate.example.com/paynet#top',
    'https://gate.example.com:99999/paynet',
    'https://gäte.example.com/paynet',
    'https://gate.example.com/pä',
    'https://gate.example.com/a b',
    undefined,
  ])('a public URL of %s', (publicUrl) => {
    const message = configurationError({ publicUrl: untyped(publicUrl) })
    expect(message).toMatch(/^(?:publicUrl: |createGateway: publicUrl must be given)/)
    expect(message).not.toMatch(/secret|baseUrl/)
  })
})

describe('a gateway is made from', () => {
  test('an endpoint with everything that one can have, and groups of it', async () => {
    const endpoint = {
      id: 1111,
      currencies: ['EUR'],
      requiredFields: ['firstName'],
      limits: { min: ' 1 ', max: '10.4200' },
      settleAfter: 0,
      holdFor: 1,
      payoutCheckFor: '1h',
      charges: { time: '02:30', timeZone: 'Europe/Berlin' },
      notifyUrl: 'https://shop.example.com/later',
    } as const
    const groups = [{ id: 77n, endpoints: ['1111', 1111n, 1111] }]
    const { controlKey, login } = SHOP
    const { gateway } = testGateway({ merchants: [{ login, controlKey, endpoints: [endpoint], groups }] })
    expect(await gateway.handle(sale({ first_name: 'John' }))).toMatchObject({ status: 200 })
  })

  test('a control key that prints masked, and ids of either kind', async () => {
    const gateway = createGateway({
      publicUrl: 'https://gate.example.com/paynet',
      merchants: [{ login: ' shop ', controlKey: new Secret(SHOP.controlKey), endpoints: [{ id: 1111n }] }],
      acquirer: simulator(),
    })
    expect(await gateway.handle(sale())).toMatchObject({ status: 200 })
    await gateway.close()
  })

  test('merchants of whom some have a public key: each is verified by its own', async () => {
    const { publicKey, privateKey } = rsaKeys()
    const gateway = createGateway({
      publicUrl: 'https://gate.example.com/paynet',
      merchants: merchants({ rival: publicKey }),
      acquirer: simulator(),
    })
    const timestamp = Math.floor(gateway.clock.now() / 1000)
    const order = { login: 'rival', client_orderid: 'inv-1', orderid: '1' }
    const signing = { method: 'RSA-SHA256', key: privateKey, login: 'rival', timestamp }
    const at = async (endpointId: string, login = 'rival') => {
      const request = oauthSigned(`/api/v4/payout-pay/${endpointId}`, { ...order, login }, { ...signing, login })
      return (await gateway.handle(request)).status
    }
    expect(await at('2222')).toBe(400)
    expect(await at('1111', 'shop')).toBe(403)
    expect(await at('1111')).toBe(403)
    expect(await at('9999')).toBe(403)
    await gateway.close()
  })
})
