import { describe, expect, test } from 'vitest'
import { readArguments, withOverrides } from '../../src/cli/arguments.ts'
import { ConfigurationError, parseConfiguration } from '../../src/cli/read-configuration.ts'
import { ORDER_FILTERS } from '../../src/cli/readings.ts'
import { HELP } from '../../src/cli/run.ts'

function wrong(...args: string[]): string {
  try {
    readArguments(args)
  } catch (error) {
    return error instanceof ConfigurationError ? error.message : 'another kind of error'
  }
  return 'none'
}

describe('the command line', () => {
  test.for([
    [['--help'], { name: 'help' }],
    [['-h', 'anything', '--config', 'x'], { name: 'help' }],
    [['--version'], { name: 'version' }],
    [['keys', 'vault.keys'], { name: 'keys', file: 'vault.keys' }],
    [['key', 'shop.key'], { name: 'key', file: 'shop.key' }],
    [['key'], { name: 'key', file: undefined }],
    [['--sandbox'], { name: 'serve', config: undefined, overrides: { sandbox: true } }],
    [
      ['--sandbox', '--host', '0.0.0.0'],
      { name: 'serve', config: undefined, overrides: { host: '0.0.0.0', sandbox: true } },
    ],
    [['check', '--config', 'g.json'], { name: 'check', config: 'g.json', overrides: {} }],
    [['--config', 'g.json'], { name: 'serve', config: 'g.json', overrides: {} }],
    [['serve', '--config=g.json'], { name: 'serve', config: 'g.json', overrides: {} }],
    [
      ['--config', 'g.json', '--port', '0', '--store', 'memory', '--sandbox'],
      { name: 'serve', config: 'g.json', overrides: { port: 0, store: 'memory', sandbox: true } },
    ],
    [['--config', 'g.json', '--port', '65535'], { name: 'serve', config: 'g.json', overrides: { port: 65_535 } }],
    [
      ['--config', 'g.json', '--sandbox', '--faults', 'slow-reply,callback-never', '--fault-seed', '4711'],
      {
        name: 'serve',
        config: 'g.json',
        overrides: { sandbox: true, faults: { only: ['slow-reply', 'callback-never'], seed: 4711 } },
      },
    ],
    [['--config', 'g.json', '--fault-seed=0'], { name: 'serve', config: 'g.json', overrides: { faults: { seed: 0 } } }],
    [
      ['resend', '123456789012345', '--config', 'g.json'],
      { name: 'resend', config: 'g.json', id: '123456789012345', why: '', by: undefined },
    ],
    [
      ['resend', '123456789012345-2', '--url', 'http://127.0.0.1:9464/'],
      { name: 'resend', url: 'http://127.0.0.1:9464', id: '123456789012345-2', why: '' },
    ],
    [
      ['orders', '--config', 'g.json', '--status', 'unknown', '--since', '24h', '--login', 'shop', '--json'],
      {
        name: 'orders',
        config: 'g.json',
        filters: { status: 'unknown', since: '24h', login: 'shop' },
        json: true,
      },
    ],
    [
      ['order', 'inv-1', '--config', 'g.json', '--endpoint', '1111'],
      { name: 'order', config: 'g.json', id: 'inv-1', filters: { endpoint: '1111' }, json: false },
    ],
    [
      ['callbacks', '--given-up', '--config', 'g.json', '--limit', '9'],
      { name: 'callbacks', config: 'g.json', filters: { limit: '9' }, json: false },
    ],
    [
      ['outcome', '123456789012345-2', 'declined', '--config', 'g.json', '--why', 'told', '--by', 'anna'],
      {
        name: 'outcome',
        config: 'g.json',
        operationId: '123456789012345-2',
        status: 'declined',
        why: 'told',
        by: 'anna',
      },
    ],
  ] as const)('%j is read', ([args, command]) => {
    expect(readArguments(args)).toEqual(command)
  })

  test.for([
    [[], '--config FILE is missing'],
    [['resend', '1'], '--config FILE is missing'],
    [['resend', '--config', 'g.json'], 'resend takes the id of an order'],
    [['resend', '1', '2', '--config', 'g.json'], '2 is one argument too many'],
    [
      ['resend', 'abc', '--config', 'g.json'],
      'resend takes the id of an order, which has 15 digits, or of a callback, not abc',
    ],
    [
      ['resend', '999999', '--config', 'g.json'],
      'resend takes the id of an order, which has 15 digits, or of a callback, not 999999',
    ],
    [['outcome', '123456789012345', 'approved', '--config', 'g.json'], 'outcome takes the id of an operation, such as'],
    [['outcome', '123456789012345-1', 'unknown', '--config', 'g.json'], 'and one of approved, declined, error'],
    [['outcome', '123456789012345-1', '--config', 'g.json'], 'outcome takes the id of an operation, such as'],
    [['outcome', '123456789012345-1', 'approved', 'now', '--config', 'g.json'], 'now is one argument too many'],
    [['outcome', '123456789012345-1', 'approved'], '--config FILE is missing'],
    [['outcome', '123456789012345-1', 'approved', '--config', 'g.json'], '--why REASON is missing'],
    [['orders'], '--config FILE is missing: the configuration says where the gateway is, or --url does'],
    [['orders', 'all', '--config', 'g.json'], 'all is one argument too many'],
    [['order', '--config', 'g.json'], 'order takes the id of an order'],
    [['callbacks', '--config', 'g.json'], 'callbacks takes --given-up'],
    [['callbacks', '--given-up', '--status', 'unknown', '--config', 'g.json'], '--status is an option of orders'],
    [['order', 'inv-1', '--limit', '9', '--config', 'g.json'], '--limit is an option of orders, callbacks'],
    [['--json', '--config', 'g.json'], '--json is an option of orders, order, callbacks'],
    [['orders', '--url', 'ftp://127.0.0.1'], '--url takes an address such as http://127.0.0.1:9464'],
    [['orders', '--url', 'http://anna:secret@127.0.0.1'], '--url takes an address such as http://127.0.0.1:9464'],
    [['orders', '--url', 'http://127.0.0.1:9464/orders'], '--url takes an address such as http://127.0.0.1:9464'],
    [['serve', 'more', '--config', 'g.json'], 'more is one argument too many'],
    [['stop', '--config', 'g.json'], 'there is no command stop: there are serve, check, '],
    [
      ['outcom', '123456789012345-1', 'approved', '--why', 'said so'],
      'there is no command outcom: did you mean outcome?',
    ],
    [['--config', 'g.json', '--port', '65536'], '--port takes a number from 0 to 65535'],
    [['--config', 'g.json', '--port', 'http'], '--port takes a number from 0 to 65535'],
    [['--config', 'g.json', '--port', ''], '--port takes a number from 0 to 65535'],
    [['--config', 'g.json', '--host', ''], '--host takes an address of this machine; 0.0.0.0 stands for all'],
    [['--config', 'g.json', '--store', ''], '--store takes a database file, postgres://..., or memory'],
    [['--config', 'g.json', '--fault-seed', '-1'], "Option '--fault-seed' argument is ambiguous"],
    [['--config', 'g.json', '--fault-seed', 'lucky'], '--fault-seed takes a whole number'],
    [['--config', 'g.json', '--faults', 'slow-reply,boom'], '--faults: there is no fault boom; there are reply-lost-'],
    [['--config', 'g.json', '--faults', ''], '--faults: there is no fault ; there are '],
    [['--colour', 'red'], "Unknown option '--colour'"],
    [['--config'], "Option '--config <value>' argument missing"],
  ] as const)('[F-C16] %j is refused, and the help is named', ([args, problem]) => {
    expect(wrong(...args)).toContain(problem)
    expect(wrong(...args)).toMatch(/\nSee tallystick-gateway --help$/)
  })

  test('has a help that names every option', () => {
    const options = [
      '--config',
      '--port',
      '--host',
      '--store',
      '--sandbox',
      '--faults',
      '--fault-seed',
      '--help',
      '--version',
    ]
    const reading = ['--url', '--json', '--given-up', ...ORDER_FILTERS.map((filter) => `--${filter}`)]
    for (const option of [...options, ...reading, 'resend', 'outcome', 'keys', 'orders', 'order ID'])
      expect(HELP).toContain(option)
  })
})

describe('what the command line overrides in the configuration', () => {
  const merchants = [{ login: 'shop', controlKey: 'a key', endpoints: [{ id: 1 }] }]
  const configuration = (changes: object = {}) =>
    parseConfiguration(JSON.stringify({ merchants, ...changes }), 'g.json')

  test('replaces it, setting by setting', () => {
    const faults = { seed: 1, only: ['html-page'], probability: 0.5 }
    const merged = withOverrides(configuration({ port: 1, faults }), { port: 2, sandbox: true, faults: { seed: 7 } })
    expect(merged).toMatchObject({ port: 2, sandbox: true, faults: { ...faults, seed: 7 } })
  })

  test('is nothing without such options', () => {
    expect(withOverrides(configuration(), {})).toEqual({ ...configuration(), faults: undefined })
  })
})
