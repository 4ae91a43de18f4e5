import { describe, expect, test } from 'vitest'
import { configurationSchema } from '../../src/cli/configuration.ts'
import { basePathOf, publicUrlOf } from '../../src/cli/ports.ts'
import { ConfigurationError, parseConfiguration } from '../../src/cli/read-configuration.ts'

const KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const MERCHANT = { login: 'shop', controlKey: KEY, endpoints: [{ id: 253 }] }

/** A whole configuration, as an operator writes it. */
const EXAMPLE = {
  port: 8080,
  basePath: '/paynet',
  publicUrl: 'http://127.0.0.1:8080/paynet',
  store: 'gateway.db',
  replyFormat: 'json',
  merchants: [
    {
      login: 'test-login',
      controlKey: '...',
      publicKeyFile: 'merchant.pub.pem',
      endpoints: [{ id: 253, currencies: ['USD', 'EUR'] }],
    },
  ],
}

const parse = (configuration: object) => parseConfiguration(JSON.stringify(configuration), 'gateway.json')

function wrong(configuration: object | string): string {
  try {
    parseConfiguration(
      typeof configuration === 'string' ? configuration : JSON.stringify(configuration),
      'gateway.json',
    )
  } catch (error) {
    return error instanceof ConfigurationError ? error.message : 'another kind of error'
  }
  return 'none'
}

describe('a configuration', () => {
  test('has a default for everything but its merchants', () => {
    expect(parse({ merchants: [MERCHANT] })).toEqual({
      port: 8080,
      host: '127.0.0.1',
      metricsPort: 9464,
      metricsHost: '127.0.0.1',
      store: 'memory',
      allowPlainConnection: false,
      replyFormat: 'json',
      sandbox: false,
      sandboxPort: 9465,
      threeDsMethodWaitSeconds: 10,
      sandboxHost: '127.0.0.1',
      allowRepeats: false,
      numericIds: false,
      maxConcurrentRequests: 1000,
      maxCallbackConnections: 256,
      exponents: 'always-2',
      logLevel: 'info',
      merchants: [MERCHANT],
    })
  })

  test('may have what operators usually set', () => {
    expect(parse(EXAMPLE)).toMatchObject(EXAMPLE)
  })

  test('may have every setting', () => {
    const endpoint = {
      id: '9223372036854775807',
      currencies: ['EUR'],
      requiredFields: ['firstName'],
      limits: { min: '1', max: '99.9' },
      settleAfter: '1h',
      holdFor: '14d',
      payoutCheckFor: '1h',
      formLifetime: '15m',
      charges: { time: '02:30', timeZone: 'Europe/Berlin' },
      notifyUrl: 'https://shop.example.com/later',
    }
    const merchant = { login: 'a', controlKeyFile: 'key', endpoints: [endpoint], groups: [{ id: 7, endpoints: [1] }] }
    const faults = { seed: 4711, only: ['callback-never'], probability: 0.25 }
    const all = {
      $schema: './gateway.schema.json',
      vaultKeyFile: 'v.keys',
      exponents: 'iso-4217',
      basePath: '',
      faults,
    }
    expect(parse({ ...all, merchants: [merchant] })).toMatchObject({ ...all, merchants: [merchant] })
  })

  test.for([
    [{}, 'merchants: must be given'],
    [{ merchants: [{ ...MERCHANT, endpoints: [{}] }] }, 'merchants[0].endpoints[0].id: must be given'],
    [{ merchants: [{ controlKey: KEY }] }, 'merchants[0].endpoints: must be given'],
    [{ merchants: [] }, 'merchants: '],
    [{ merchants: [{ ...MERCHANT, login: '' }] }, 'merchants[0].login: '],
    [{ merchants: [{ ...MERCHANT, endpoints: [{ id: 0 }] }] }, 'merchants[0].endpoints[0].id: '],
    [
      { merchants: [{ ...MERCHANT, endpoints: [{ id: 1.5 }] }] },
      'merchants[0].endpoints[0].id: must be a whole number from 1 on, as a number or a text',
    ],
    [
      { merchants: [{ ...MERCHANT, endpoints: [{ id: true }] }] },
      'merchants[0].endpoints[0].id: must be a whole number from 1 on, as a number or a text',
    ],
    [
      { merchants: [{ ...MERCHANT, groups: [{ id: 7, endpoints: [null] }] }] },
      'merchants[0].groups[0].endpoints[0]: must be a whole number from 1 on, as a number or a text',
    ],
    [
      { merchants: [{ ...MERCHANT, endpoints: [{ id: 1, currencies: ['eur'] }] }] },
      'endpoints[0].currencies[0]: must be three capital letters',
    ],
    [
      { merchants: [{ ...MERCHANT, endpoints: [{ id: 1, holdFor: 'a week' }] }] },
      'merchants[0].endpoints[0].holdFor: ',
    ],
    [
      { merchants: [{ ...MERCHANT, endpoints: [{ id: 1, limits: { max: '1,00' } }] }] },
      'limits.max: must be in major units with a dot',
    ],
    [{ merchants: [MERCHANT], port: 65_536 }, 'port: '],
    [{ merchants: [MERCHANT], basePath: 'paynet/' }, 'basePath: must begin with a slash and end without one'],
    [
      { merchants: [MERCHANT], publicUrl: 'gate.example.com/paynet' },
      'publicUrl: must be a whole address, as https://gate.example.com/paynet',
    ],
    [
      { merchants: [{ ...MERCHANT, endpoints: [{ id: 1, notifyUrl: 'shop.example.com' }] }] },
      'merchants[0].endpoints[0].notifyUrl: must be a whole address, as https://shop.example.com/payments',
    ],
    [{ merchants: [MERCHANT], replyFormat: 'xml' }, 'replyFormat: '],
    [{ merchants: [MERCHANT], sandboxPort: 'none' }, 'sandboxPort: '],
    [{ merchants: [MERCHANT], faults: { seed: -1 } }, 'faults.seed: '],
    [{ merchants: [MERCHANT], faults: { only: ['boom'] } }, 'faults.only[0]: '],
    [{ merchants: [MERCHANT], faults: { probability: 2 } }, 'faults.probability: '],
    [{ merchants: [MERCHANT], stor: 'gateway.db' }, 'the file: there is no setting stor; did you mean store?'],
    [
      { merchants: [{ ...MERCHANT, login: 'a', controlkey: 'b', publicKeyFil: 'c' }] },
      'merchants[0]: there is no setting controlkey; did you mean controlKey?, and there is no setting publicKeyFil; did you mean',
    ],
    [
      { merchants: [{ ...MERCHANT, endpoints: [{ id: 1, limits: { least: '1' } }] }] },
      'merchants[0].endpoints[0].limits: there is no setting least; there are min, max',
    ],
    [[], 'the file: '],
  ] as const)('%j is refused by the name of the setting', ([configuration, problem]) => {
    const message = wrong(configuration)
    expect(message).toMatch(/^gateway\.json is not a configuration:\n {2}/)
    expect(message).toContain(problem)
    expect(message).not.toContain(KEY)
  })

  test('that is wrong in several places names each', () => {
    expect(wrong({ port: -1, merchants: [{ ...MERCHANT, endpoints: [] }] }).split('\n')).toHaveLength(3)
  })

  test('that begins with a byte order mark is read', () => {
    const text = JSON.stringify({ merchants: [{ login: 'a', controlKey: KEY, endpoints: [{ id: 1 }] }] })
    expect(parseConfiguration(`\uFEFF${text}`, 'gateway.json')).toEqual(parseConfiguration(text, 'gateway.json'))
  })

  test.for([
    ['', ''],
    ['{', ' at line 1, column 2'],
    [`{ "controlKey": "${KEY}", }`, ' at line 1, column 57'],
    [`{\n  "controlKey": "${KEY}" "port": 1 }`, ' at line 2, column 56'],
    ['{\n  // which port\n}', ' at line 2, column 3'],
    // Node's messages for these quote the file, and name no place in it.
    [`{ "controlKey": ${KEY} }`, ''],
    ['tru (line 7 column 8)', ''],
  ] as const)(
    'that is no JSON (%s) is refused with the place, as far as it is known, and quoted nowhere',
    ([text, place]) => {
      expect(wrong(text)).toBe(
        `gateway.json is not JSON${place}; look for an extra comma, a missing quote, or a comment`,
      )
    },
  )
})

/** The schema as biome prints it: lists that fit stay on one line. */
function printed(schema: object): string {
  const json = JSON.stringify(schema, undefined, 2)
  const lists = /\[\s+([^[\]{}]+?)\s+\](,?)/g
  return `${json.replaceAll(lists, (list: string, items: string, comma: string, at: number) => {
    const line = `[${items.split(/,\s+/).join(', ')}]${comma}`
    const indent = at - json.lastIndexOf('\n', at) - 1
    return indent + line.length <= 120 ? line : list
  })}\n`
}

describe('the path that the gateway serves under', () => {
  const publicUrl = 'https://gate.example.com/pay/v1/'

  test('is that of the public address, or else its own, or else /paynet', () => {
    expect(basePathOf(parse({ merchants: [MERCHANT] }))).toBe('/paynet')
    expect(basePathOf(parse({ merchants: [MERCHANT], basePath: '' }))).toBe('')
    expect(basePathOf(parse({ merchants: [MERCHANT], publicUrl }))).toBe('/pay/v1')
    expect(basePathOf(parse({ merchants: [MERCHANT], publicUrl: 'https://gate.example.com' }))).toBe('')
    expect(basePathOf(parse(EXAMPLE))).toBe('/paynet')
  })

  test('must not be two paths: requests to one of them would find nothing', () => {
    expect(() => basePathOf(parse({ merchants: [MERCHANT], publicUrl, basePath: '/paynet' }))).toThrow(
      new ConfigurationError(
        'basePath: is "/paynet", and the path of publicUrl is "/pay/v1": they have to be the same; leave basePath out',
      ),
    )
  })
})

describe('the address that merchants call', () => {
  const at = (origin: string, settings: object = {}) =>
    publicUrlOf(parse({ merchants: [MERCHANT], ...settings }), origin)

  test('is publicUrl, wherever the gateway listens', () => {
    const publicUrl = 'https://gate.example.com/pay/v1'
    expect(at('http://0.0.0.0:8080', { publicUrl })).toBe(publicUrl)
  })

  test('is otherwise where the gateway listens', () => {
    expect(at('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080/paynet')
    expect(at('http://[::1]:8080', { basePath: '' })).toBe('http://[::1]:8080')
    expect(at('http://10.0.0.0:8080', { basePath: '/pay' })).toBe('http://10.0.0.0:8080/pay')
  })

  test.for(['http://0.0.0.0:8080', 'http://[::]:8080'])(
    'is 127.0.0.1 where it listens on all of the machine: %s',
    (all) => {
      expect(at(all)).toBe('http://127.0.0.1:8080/paynet')
    },
  )
})

test('the JSON Schema that is shipped is that of the configuration: `pnpm unit command/configuration -u` rewrites it', async () => {
  await expect(printed(configurationSchema())).toMatchFileSnapshot('../../gateway.schema.json')
})
