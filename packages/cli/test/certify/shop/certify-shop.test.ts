import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/arguments/parse.ts'
import type { Scenario } from '../../../src/certify/shop/scenario.ts'
import { SCENARIOS } from '../../../src/certify/shop/scenarios.ts'
import { system } from '../../../src/runtime/system.ts'
import type { World } from '../../../src/world.ts'
import { type Tried, tryCommand } from '../../try-command.ts'
import { type Mistake, nothingStored, startTinyShop, type TinyShopOptions } from './tiny-shop.ts'

interface Try extends Pick<TinyShopOptions, 'isDirect' | 'isClassic' | 'isHolding'> {
  readonly mistakes?: readonly Mistake[]
  readonly only?: string
}

/** A mistake for each scenario that is meant for it, in a shop with forms unless it says otherwise. */
const MEANT: Readonly<Record<string, Try>> = {
  approved: { mistakes: ['forgets-approvals'] },
  declined: { mistakes: ['takes-all-for-paid'] },
  filtered: { mistakes: ['knows-three-statuses'] },
  error: { mistakes: ['knows-three-statuses'] },
  'three-ds-passed': { mistakes: ['processing-is-failed'] },
  'three-ds-failed': { mistakes: ['takes-all-for-paid'] },
  'three-ds-abandoned': { mistakes: ['processing-is-failed'] },
  'form-left': { mistakes: ['new-form-each-time'] },
  'form-expired': { mistakes: ['no-second-try'] },
  'second-try': { mistakes: ['no-second-try'] },
  'two-orders': { mistakes: ['one-current-order'] },
  'amount-smallest': { mistakes: ['keeps-leading-zeros'] },
  'amount-largest': { mistakes: ['eight-digits'] },
  'amount-cents': { mistakes: ['amount-by-float'] },
  'amount-without-decimals': { mistakes: ['yen-without-decimals'] },
  texts: { mistakes: ['breaks-texts'] },
  'reply-lost-before-order': { mistakes: ['sends-again'] },
  'reply-lost-after-order': { mistakes: ['sends-again', 'random-ids'], isDirect: true },
  'reply-slow': { mistakes: ['sends-again'] },
  'error-then-committed': { mistakes: ['paid-when-sent'] },
  overloaded: { mistakes: ['paid-when-sent'] },
  'html-page': { mistakes: ['sends-again'] },
  'reply-cut': { mistakes: ['sends-again'] },
  'wrong-content-type': { mistakes: ['wants-its-content-type', 'sends-again'] },
  redirect: { mistakes: ['follows-redirects'], isDirect: true },
  gzip: { mistakes: ['wants-its-content-type', 'sends-again'] },
  'refused-by-proxy': { mistakes: ['paid-when-sent'] },
  'unknown-then-approved': { mistakes: ['unknown-is-declined'] },
  'unknown-then-declined': { mistakes: ['unknown-is-paid', 'accepts-amounts', 'accepts-currencies'] },
  'order-id-as-number': { mistakes: ['float-order-ids'] },
  'unknown-fields': { mistakes: ['fails-on-extra-fields'] },
  'classic-replies': { mistakes: ['untrimmed'], isClassic: true },
  'callback-twice': { mistakes: ['fails-on-duplicates'] },
  'callback-twice-at-once': { mistakes: ['delivers-per-callback'] },
  'callback-out-of-order': { mistakes: ['later-callback-wins'] },
  'callback-before-reply': { mistakes: ['registers-after-reply', 'callback-alone'], isDirect: true },
  'callback-before-return': { mistakes: ['ignores-callbacks', 'callback-alone', 'trusts-the-browser'] },
  'callback-never': { mistakes: ['callback-alone'] },
  'callback-late': { mistakes: ['delivers-per-callback'] },
  'callback-forged': { mistakes: ['accepts-forged'] },
  'callback-without-control': { mistakes: ['accepts-without-control'] },
  'callback-status-changed': { mistakes: ['accepts-forged'] },
  'callback-shifted': { mistakes: ['expects-client-order-id-alone'] },
  'callback-of-another-order': { mistakes: ['finds-by-merchant-order'] },
  'callback-amount-differs': { mistakes: ['accepts-amounts'] },
  'callback-currency-differs': { mistakes: ['accepts-currencies'] },
  'callback-unknown-status': { mistakes: ['delivers-unknown-status'] },
  'callback-replayed-after-refund': { mistakes: ['delivers-per-callback'] },
  'callback-by-post': { mistakes: ['no-post', 'callback-alone'] },
  'callback-burst': { mistakes: ['delivers-per-callback'] },
  reversal: { mistakes: ['ignores-taken-back'] },
  'partial-reversals': { mistakes: ['first-callback-only'] },
  chargeback: { mistakes: ['ignores-taken-back'] },
  'chargeback-after-return': { mistakes: ['ignores-taken-back'] },
  'double-click': { mistakes: ['new-form-each-time'] },
  'two-tabs': { mistakes: ['new-form-each-time'] },
  'back-button': { mistakes: ['new-form-each-time'] },
  'return-forged': { mistakes: ['trusts-the-browser'] },
  'return-without-payment': { mistakes: ['trusts-the-browser'] },
  'return-before-outcome': { mistakes: ['return-decides'] },
  'return-from-another-site': { mistakes: ['forgets-the-session'] },
  'killed-while-sending': { mistakes: ['forgets-on-restart', 'random-ids'], isDirect: true },
  'killed-after-callback': { mistakes: ['acknowledges-first', 'callback-alone'] },
  'killed-in-handler': { mistakes: ['delivers-before-it-stores'] },
  'clock-off': { mistakes: ['compares-times'] },
  'polls-without-end': { mistakes: ['polls-for-ever'] },
  'card-in-log': { mistakes: ['logs-cards'], isDirect: true },
  refund: { mistakes: ['forgets-refunds'] },
  'refund-twice-at-once': { mistakes: ['counts-refunds-at-once', 'ignores-taken-back'] },
  'refund-too-much': { mistakes: ['counts-refunds-at-once'] },
  'refund-reply-lost': { mistakes: ['refunds-again'] },
  'refund-declined': { mistakes: ['counts-refunds-at-once'] },
  cancel: { mistakes: ['forgets-cancels'], isHolding: true },
}

/** What no scenario can judge, and why. */
const UNJUDGED: Readonly<Record<string, readonly string[]>> = {
  form: ['callback-before-reply', 'cancel'],
  direct: ['cancel', 'form-expired', 'form-left', 'return-from-another-site', 'return-without-payment'],
}

test('each scenario has a shop that it finds', () => {
  expect(Object.keys(MEANT)).toEqual(SCENARIOS.map(({ id }) => id))
})

describe.each([
  ['form', {}],
  ['direct', { isDirect: true }],
  ['form, holding the amount', { isHolding: true, only: 'approved,cancel,refund,reversal,chargeback' }],
  ['form, asking for the classic form', { isClassic: true, only: 'approved,classic-replies,callback-twice' }],
] as const)('a right shop (%s)', (kind, how) => {
  test('[F-G1] is wrong in nothing', { timeout: 240_000 }, async () => {
    const { code, printed } = await tryShop(how)
    const results = resultsIn(printed)
    expect(results.filter(({ verdict }) => verdict === 'wrong')).toEqual([])
    const others = results.filter(({ verdict }) => verdict !== 'right').map(({ id }) => id)
    expect(others.toSorted()).toEqual(UNJUDGED[kind] ?? [])
    expect(code).toBe(0)
  })
})

describe('finds by the scenario that is meant for it', () => {
  test.concurrent.each(Object.entries(MEANT))('[F-G2] %s: %o', { timeout: 120_000 }, async (id, how) => {
    const { code, printed } = await tryShop({ ...how, only: id })
    const found = resultsIn(printed).find((result) => result.id === id)
    expect(found).toMatchObject({ verdict: 'wrong', cost: expect.any(String), detail: expect.any(String) })
    expect(code).toBe(1)
  })
})

describe('the command', () => {
  const begin = 'POST http://127.0.0.1:1/pay/{order}'
  const outcome = {
    request: 'GET http://127.0.0.1:1/orders/{order}',
    paid: 'paid!',
    notPaid: 'failed',
    pending: 'wait',
  }
  const read = async (file: object) =>
    await tryCommand(['certify', 'shop'], { 'tallystick-shop.json': JSON.stringify(file) })

  test('lists its scenarios, a line each, or some', async () => {
    const { code, printed } = await tryCommand(['certify', 'shop', '--list'])
    expect(code).toBe(0)
    expect(printed.trim().split('\n')).toHaveLength(SCENARIOS.length)
    expect(printed).toMatch(/^replies +waits +reply-slow +the order is made, and the reply is slower/m)
    const some = await tryCommand(['certify', 'shop', '--list', '--only', 'refunds,double-click'])
    expect(some.printed).toMatch(/^customer +double-click +the customer clicks twice\nrefunds +refund +/)
    await expect(tryCommand(['certify', 'shop', '--only', 'nonsense'])).rejects.toThrow('there is no scenario nonsense')
  })

  test.each<[string, object]>([
    ['begin is missing', { outcome }],
    ['begin must be a method and an address, such as', { begin: 'http://127.0.0.1:1/pay', outcome }],
    ['begin has {ordr}, which is no placeholder', { begin: 'POST http://127.0.0.1:1/{ordr}', outcome }],
    ['beginn is not known: did you mean begin?', { beginn: begin, outcome }],
    ['outcome.paid is missing', { begin, outcome: { ...outcome, paid: undefined } }],
    ['outcome.paid is no regular expression: (', { begin, outcome: { ...outcome, paid: '(' } }],
    ['outcome.notPaid must be a regular expression, or', { begin, outcome: { ...outcome, notPaid: { path: 'x' } } }],
    ['effects needs a path, or a pattern', { begin, outcome, effects: { file: 'x.log' } }],
    ['order must be { "like": "A{number}" }', { begin, outcome, order: { like: 'A' } }],
    ['patience must be seconds', { begin, outcome, patience: '90' }],
    ['refund.headers.x must be a text', { begin, outcome, refund: { request: begin, headers: { x: 1 } } }],
  ])('[F-G3] names what is wrong in the file: %s', async (message, file) => {
    await expect(read(file)).rejects.toThrow(`tallystick-shop.json: ${message}`)
  })

  test('asks what it has to know if there is no file, and writes it', async () => {
    const answers = [begin, outcome.request, 'paid!', 'failed', 'wait', '']
    const written: string[] = []
    const changes: Partial<World> = {
      isTerminal: true,
      ask: async () => answers.shift() ?? '',
      write: (file, text) => void written.push(file, text),
      serve: async () => {
        throw new UsageError('far enough')
      },
    }
    await expect(tryCommand(['certify', 'shop'], {}, changes)).rejects.toThrow('far enough')
    expect(written[0]).toBe('tallystick-shop.json')
    expect(JSON.parse(written[1] ?? '')).toEqual({ begin, outcome })
  })

  test('says where the file is missing if nobody can be asked', async () => {
    await expect(tryCommand(['certify', 'shop'])).rejects.toThrow(
      'tallystick-shop.json cannot be read (ENOENT): it says how the shop is reached',
    )
  })

  test('says how a shop has ended that does not start', async () => {
    await expect(tryShop({ only: 'approved' }, { failingStart: 1 })).rejects.toThrow(
      /nobody answers at http:\S+ \(ECONNREFUSED\), and "start" has ended with exit code 3; the shop has printed:\nthe port is taken$/,
    )
  })

  test('runs a killed shop once more if its first start fails', { timeout: 60_000 }, async () => {
    const { printed } = await tryShop({ only: 'killed-after-callback' }, { failingStart: 2 })
    expect(resultsIn(printed)).toMatchObject([{ id: 'killed-after-callback', verdict: 'right' }])
  })

  test('[F-G4] reports as text, as JUnit and as a page that opens at the order', async () => {
    const written = new Map<string, string>()
    const { code, printed } = await tryShop(
      { mistakes: ['accepts-forged'], only: 'approved,callback-forged,callback-before-reply' },
      {
        args: ['--junit', 'shop.xml', '--recording', 'shop.html'],
        write: (file, text) => void written.set(file, text),
      },
    )
    expect(code).toBe(1)
    expect(printed).toMatch(/^the tiny shop\nis started with these settings:\n {2}TALLYSTICK_BASE_URL=http/)
    expect(printed).not.toContain('a-control-key-of-this-test')
    expect(printed).toContain('\nright  approved: the customer pays, and comes back\n')
    expect(printed).toMatch(/\nWRONG {2}callback-forged: .*\n.*\n {7}costs: goods leave without payment\n/)
    expect(printed).toMatch(/\n- {6}callback-before-reply: .*\n {7}cannot be judged: a form is answered/)
    expect(printed).toContain('1 right, 1 wrong, 1 cannot be judged\nWhat it costs: goods leave without payment\n')
    const [, orderId = 'none'] = /recorded: shop\.html#\/order\/(\d+)/.exec(printed) ?? []
    expect(written.get('shop.html')).toContain(orderId)
    const junit = written.get('shop.xml') ?? ''
    expect(junit).toContain('<testsuite name="tallystick certify shop" tests="3" failures="1" skipped="1">')
    expect(junit).toMatch(
      /<testcase classname="shop\.callbacks" name="callback-forged: [^"]*" time="[\d.]+"><failure message="/,
    )
  })
})

test('[F-G2] each scenario says what is right by rules that there are, and has its remedy', () => {
  const rules = readFileSync(new URL('../../../../../spec/requirements.md', import.meta.url), 'utf8')
  const remedies = readFileSync(new URL('../../../../../docs/shop-remedies.md', import.meta.url), 'utf8')
  const cited = (right: string) => [...right.matchAll(/\[([SGF][\d.A-Z]*-\w+)\]/g)].map(([, rule]) => rule)
  const isRight = ({ id, right }: Scenario) =>
    cited(right).length > 0 &&
    cited(right).every((rule) => rules.includes(`- **${rule}**`)) &&
    remedies.includes(`\n### ${id}\n`)
  expect(SCENARIOS.filter((scenario) => !isRight(scenario))).toEqual([])
})

interface Shown {
  readonly id: string
  readonly verdict: string
  readonly detail?: string
}

function resultsIn(printed: string): readonly Shown[] {
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Shown)
}

interface Asked {
  readonly args?: readonly string[]
  /** The start of the shop, counted from 1, that ends at once with the exit code 3. */
  readonly failingStart?: number
  readonly write?: World['write']
}

async function tryShop(
  { mistakes = [], only, isDirect = false, isClassic = false, isHolding = false }: Try,
  { args = ['--json'], write = () => {}, failingStart }: Asked = {},
): Promise<Tried> {
  const [port, shopPort] = await freePorts()
  const origin = `http://127.0.0.1:${shopPort}`
  const gateway = {
    baseUrl: `http://127.0.0.1:${port}/paynet`,
    login: 'certify',
    controlKey: 'a-control-key-of-this-test',
    endpointId: '1',
  }
  const card = isDirect ? '&card={cardNumber}&month={expireMonth}&year={expireYear}&cvv={cvv2}' : ''
  const file = {
    start: 'the tiny shop',
    begin: {
      request: `POST ${origin}/pay/{order}`,
      body: `amount={amount}&currency={currency}&description={description}&name={name}${card}`,
    },
    outcome: {
      request: `GET ${origin}/orders/{order}`,
      paid: { path: 'status', is: 'paid' },
      notPaid: { path: 'status', is: 'notPaid' },
      pending: { path: 'status', is: ['pending', 'none'] },
      takenBack: 'takenBack',
    },
    effects: { request: `GET ${origin}/orders/{order}`, path: 'deliveries' },
    refund: { request: `POST ${origin}/refund/{order}`, body: 'amount={amount}' },
    capture: `POST ${origin}/capture/{order}`,
    cancel: `POST ${origin}/cancel/{order}`,
    log: 'shop.log',
    patience: mistakes.length === 0 ? 60 : 5,
    quiet: 1.5,
  }
  const stored = nothingStored()
  let starts = 0
  const files: Readonly<Record<string, string>> = {
    'shop.json': JSON.stringify(file),
    'control.key': gateway.controlKey,
  }
  return await tryCommand(
    [
      'certify',
      'shop',
      'shop.json',
      '--concurrency',
      '16',
      '--port',
      String(port),
      '--key-file',
      'control.key',
      ...(only === undefined ? [] : ['--only', only]),
      ...args,
    ],
    {},
    {
      now: () => Date.now(),
      nonce: system.nonce,
      write,
      read: (name) => files[name] ?? stored.log.join('\n'),
      execute: () => {
        if (++starts === failingStart)
          return { ended: Promise.resolve(3), printed: () => 'the port is taken', kill: () => {} }
        const starting = startTinyShop({ port: shopPort, gateway, mistakes, isDirect, isClassic, isHolding, stored })
        const { promise, resolve } = Promise.withResolvers<null>()
        return {
          ended: promise,
          printed: () => '',
          kill: () => void starting.then((shop) => shop.close()).then(() => resolve(null)),
        }
      },
    },
  )
}

async function freePorts(): Promise<readonly [number, number]> {
  const servers = [createServer(), createServer()] as const
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) await once(server.close(), 'close')
  return [ports[0] ?? 0, ports[1] ?? 0]
}
