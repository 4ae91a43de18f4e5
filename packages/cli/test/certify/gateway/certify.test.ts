import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:net'
import { listen, type SendCallback } from '@tallystick/gateway'
import { replyFixture, testKeyPair } from '@tallystick/testing'
import { describe, expect, test } from 'vitest'
import { selfSigned } from '../../../../gateway/test/support/self-signed.ts'
import { system } from '../../../src/runtime/system.ts'
import type { ListenAddress, World } from '../../../src/world.ts'
import { KEY, type Tried, tryCommand } from '../../try-command.ts'
import { type Flaw, flawedGateway, forgedCallbacks, PAGE } from './flawed-gateway.ts'

/** Below the ports that a machine gives to whoever asks for any: the next gateway would get one that was just given up. */
let nextPort = 20_000 + (process.pid % 10_000)

/** A port that nobody uses now. */
async function freePort(): Promise<number> {
  const port = nextPort++
  const server = createServer().listen(port)
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  await new Promise((resolve) => server.close(resolve))
  return isFree ? port : await freePort()
}

/** Certifies a gateway, with real time: it has to answer now. */
async function certified(
  flaw: Flaw,
  args: readonly string[] = [],
  files = {},
  changes: Partial<World> = {},
): Promise<Tried> {
  const gateway = await flawedGateway(flaw)
  const where = ['--base-url', gateway.baseUrl, '--login', 'shop', '--endpoint', '253', '--key-file', 'control.key']
  const keys = { 'private.pem': testKeyPair().privateKey }
  try {
    const options = [...where, '--private-key-file', 'private.pem', ...args]
    return await tryCommand(['certify', ...options], { ...keys, ...files }, { now: () => Date.now(), ...changes })
  } finally {
    await gateway.close()
  }
}

describe('certify', () => {
  test('finds nothing wrong with our gateway', async () => {
    const { code, printed } = await certified({}, ['--callback-url', `http://127.0.0.1:${await freePort()}/`])
    expect(printed).toMatch(/\n42 right, 0 wrong, 0 not tried\n$/)
    expect(code).toBe(0)
  })

  test('listens where a tunnel or a proxy passes callbacks on to', async () => {
    const port = await freePort()
    const proxied = new Set<string>()
    /** The proxy has a certificate, and a path of its own before that of the shop. */
    const sendCallback: SendCallback = async (url) => {
      proxied.add(new URL(url).origin)
      const { status } = await fetch(url.replace('https://tunnel.example/shop', `http://127.0.0.1:${port}`))
      return { status }
    }
    for (const at of [String(port), `127.0.0.1:${port}`]) {
      const args = ['--only', 'calls the shop back', '--callback-url', 'https://tunnel.example/shop/cb']
      const { printed } = await certified({ options: { sendCallback } }, [...args, '--callback-listen', at])
      expect(printed).toMatch(/\n1 right, 0 wrong, 0 not tried\n$/)
    }
    expect([...proxied]).toEqual(['https://tunnel.example'])
  })

  test('says what it could not try', async () => {
    const { code, printed } = await certified({}, ['--only', 'calls the shop back'])
    expect(printed).toBe(
      'not tried  calls the shop back, signed with the control key (gaps part 6)\n' +
        '           give --callback-url, where the gateway reaches this machine\n' +
        '\n0 right, 0 wrong, 1 not tried\n',
    )
    expect(code).toBe(0)
  })

  test('prints a line of JSON for each result, as soon as there is one', async () => {
    const pieces: string[] = []
    await certified({}, ['--only', 'more than', '--json'], {}, { print: (text) => pieces.push(text) })
    const source = 'part 4; gaps part 5'
    expect(pieces).toEqual([
      `${JSON.stringify({ claim: 'refuses to return more than was paid', source, verdict: 'right' })}\n`,
      `${JSON.stringify({ claim: 'refuses to capture more than is held', source, verdict: 'right' })}\n`,
    ])
  })

  test('says on the standard error what takes long', async () => {
    const schedule: World['schedule'] = (delayMs, task) => {
      if (delayMs === 5_000) task()
      return system.schedule(delayMs, () => delayMs !== 5_000 && task())
    }
    const { warned } = await certified({}, ['--only', 'more than'], {}, { schedule })
    expect(warned).toEqual([
      'still trying: whether the gateway accepts the key',
      'still trying: refuses to return more than was paid (1 of 2)',
      'still trying: refuses to capture more than is held (2 of 2)',
    ])
    expect((await certified({}, ['--only', 'more than'])).warned).toEqual([])
  })

  test('fits in a terminal', async () => {
    const args = ['--only', 'calls the shop back']
    const { printed } = await certified({}, args, {}, { columns: 50 })
    expect(printed.split('\n').slice(0, 4)).toEqual([
      'not tried  calls the shop back, signed with the',
      '           control key (gaps part 6)',
      '           give --callback-url, where the gateway',
      '           reaches this machine',
    ])
  })

  test('pays in another currency, with another card', async () => {
    const card = {
      cardNumber: '4444333322221111',
      cardPrintedName: 'A B',
      expireMonth: '01',
      expireYear: '2040',
      cvv2: '1234',
    }
    const args = ['--currency', 'EUR', '--amount', '7.50', '--card', 'card.json', '--only', 'return']
    const { printed } = await certified({}, args, { 'card.json': JSON.stringify(card) })
    expect(printed).toMatch(/\n2 right, 0 wrong, 0 not tried\n$/)
  })
})

test.each(['10', '10.4', '1.01'])('finds nothing wrong about the amount %s', async (amount) => {
  const { printed } = await certified({}, ['--amount', amount])
  expect(printed).toMatch(/\n41 right, 0 wrong, 1 not tried\n$/)
})

describe('certify without a way in', () => {
  const ofAnother: Flaw = {
    options: { merchants: [{ login: 'shop', controlKey: 'other', endpoints: [{ id: '253' }] }] },
  }

  test('says once that the key is refused, and blames the gateway for nothing else', async () => {
    const { code, printed } = await certified(ofAnother)
    expect(printed).toMatch(
      /^wrong {6}accepts the login.*\n {11}Wrong key, login or endpoint: compare login shop, --endpoint 253 and the control key with the gateway's; .* \+ control key\.\n\n0 right, 1 wrong, 41 not tried\n$/,
    )
    expect(code).toBe(1)
  })

  test('says so even if other lines are asked for', async () => {
    const { printed } = await certified(ofAnother, ['--only', 'voids', '--json'])
    expect(
      printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { claim: expect.stringMatching(/^accepts the login/), verdict: 'wrong' },
      { claim: expect.stringMatching(/^voids/), verdict: 'not tried' },
    ])
  })

  test('says once that there is no gateway at the address, and praises nobody for refusing all', async () => {
    const gateway = await flawedGateway({})
    const args = ['--base-url', gateway.baseUrl.replace('paynet', 'elsewhere')]
    const { code, printed } = await certified({}, args)
    await gateway.close()
    expect(printed).toMatch(
      /^wrong .*\n.*no operation at this address.*; --base-url is the address with its path prefix.*\n\n0 right, 1 wrong, 41 not tried\n$/,
    )
    expect(code).toBe(1)
  })

  test('says how to trust a certificate that no authority signed', async () => {
    const server = createHttpsServer(selfSigned('localhost'))
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, resolve))
    const { printed } = await certified({}, ['--base-url', `https://localhost:${port}/paynet`])
    server.close()
    expect(printed).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT.* if the variable NODE_EXTRA_CA_CERTS names its file\.\n/)
  })

  test('says how to ask for classic replies', async () => {
    const other = await listen(async () => ({ status: 406, headers: { 'content-type': 'text/plain' }, body: 'no' }))
    const { printed } = await certified({}, ['--base-url', `${other.origin}/paynet`])
    await other.close()
    expect(printed).toMatch(/HTTP 406 .* needs --profile with \{ "replyFormat": "classic" \}\.\n/)
  })

  test('goes through a proxy', async () => {
    const asked: (string | undefined)[] = []
    const proxy = createHttpServer().on('connect', ({ url }, socket) => {
      asked.push(url)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    const port = await freePort()
    await new Promise<void>((resolve) => proxy.listen(port, resolve))
    const args = ['--base-url', 'https://gate.example.com/paynet', '--proxy', `http://127.0.0.1:${port}`]
    const { code, printed } = await certified({}, args)
    proxy.close()
    expect(asked).toEqual(expect.arrayContaining(['gate.example.com:443']))
    expect(printed).toMatch(/\n0 right, 0 wrong, 42 not tried\n$/)
    expect(code).toBe(1)
  })

  test('says once that nobody answers', async () => {
    const args = ['--base-url', `http://127.0.0.1:${await freePort()}/paynet`]
    const { code, printed } = await certified({}, args)
    expect(printed).toMatch(/^not tried {2}accepts the login.*\n.*ECONNREFUSED.*\n\n0 right, 0 wrong, 42 not tried\n$/)
    expect(code).toBe(1)
  })
})

const JSON_TYPE = { 'content-type': 'application/json' }
const HTML = { 'content-type': 'text/html' }
const FORBIDDEN = { status: 403, headers: HTML, body: '<html><title>Access\n denied</title><h1>No</h1></html>' }

describe('certify behind a proxy that answers by itself', () => {
  test.each([
    ['a 403', FORBIDDEN, 'HTTP 403 with text/html, .* a page with the title "Access denied"'],
    ['a bare 401', { status: 401, headers: {}, body: '' }, 'HTTP 401 with no media type'],
    ['a 407', { status: 407, headers: HTML, body: '<h1>Log in</h1>' }, 'HTTP 407 with text/html'],
    ['a 429', { status: 429, headers: HTML, body: 'Slow down' }, 'HTTP 429 with text/html'],
    ['a 502', { status: 502, headers: HTML, body: '<h1>Bad gateway</h1>' }, 'HTTP 502 with text/html'],
    ['a 504', { status: 504, headers: {}, body: 'upstream timed out' }, 'HTTP 504 with no media type'],
    [
      'a 403 in JSON',
      { status: 403, headers: JSON_TYPE, body: '{"message":"Forbidden"}' },
      'HTTP 403 with application',
    ],
    ['the login page of a network', { status: 200, headers: HTML, body: '<title>Free WiFi</title>' }, '.*"Free WiFi"'],
    [
      'a page whose links look like a reply',
      { status: 200, headers: HTML, body: '<a href="/in?next=%2F&type=validation-error&error-message=no">' },
      'HTTP 200 with text/html',
    ],
    [
      'a redirect',
      { status: 302, headers: { ...HTML, location: 'http://portal.example/' }, body: '' },
      'HTTP 302 with',
    ],
  ])('[F-C2] with %s from the start, judges nothing and says what it saw', async (_, page, seen) => {
    const { code, printed } = await certified({ between: () => page })
    expect(printed).toMatch(new RegExp(`^not tried  accepts the login.*\n {11}.*${seen}`))
    expect(printed).toMatch(/A proxy, a firewall or the page of a network has answered, not the gateway/)
    expect(printed).toMatch(/\n\n0 right, 0 wrong, 42 not tried\n$/)
    expect(code).toBe(1)
  })

  test.each([
    ['403', FORBIDDEN],
    ['502', { status: 502, headers: HTML, body: '<h1>Bad gateway</h1>' }],
    ['200', PAGE],
  ])('[F-C2] with a %s after a while, judges nothing from then on', async (_, page) => {
    const args = ['--deadline', '1', '--json', '--only', 'refuses']
    for (const shutAfter of [2, 6, 9]) {
      const between: Flaw['between'] = (_request, _reply, count) => (count > shutAfter ? page : undefined)
      const { code, printed } = await certified({ between }, args)
      const verdicts = printed.match(/"verdict":"[a-z ]+"/g)?.map((each) => each.slice(11, -1)) ?? []
      const judged = verdicts.lastIndexOf('right') + 1
      expect(verdicts.slice(0, judged)).toEqual(Array(judged).fill('right'))
      expect(verdicts.slice(judged)).toEqual(Array(verdicts.length - judged).fill('not tried'))
      // No line needs fewer than two requests.
      expect(judged).toBeLessThan(shutAfter / 2)
      expect(printed).toMatch(/"unanswered":true/)
      expect(code).toBe(1)
    }
  })

  test.each(['sale', 'return', 'capture', 'create-card-ref', 'send', 'status'])(
    '[F-C2] that refuses every %s, neither blames nor praises the gateway for what needs it',
    async (path) => {
      let hasPassed = false // the first status, which asks for the credentials
      const between: Flaw['between'] = ({ url }) => {
        const isShut = url.includes(`/${path}/`) && (path !== 'status' || hasPassed)
        hasPassed = true
        return isShut ? FORBIDDEN : undefined
      }
      const { code, printed } = await certified({ between }, ['--deadline', '1'])
      expect(printed).toMatch(/\n\d+ right, 0 wrong, \d+ not tried\n$/)
      expect(printed).toMatch(/not tried .*\n {11}.*HTTP 403 with text\/html.*"Access denied"\. A proxy, a firewall/)
      expect(code).toBe(1)
    },
  )

  test('[F-C2] does not take a page for the refusal of a second order', async () => {
    let sales = 0
    const between: Flaw['between'] = ({ url }) => (url.includes('/sale/') && ++sales > 1 ? FORBIDDEN : undefined)
    const { code, printed } = await certified({ between }, ['--only', 'no second order'])
    expect(printed).toMatch(/^not tried .*\n {11}the second sale: HTTP 403 with text\/html/)
    expect(code).toBe(1)
  })

  test('[F-C2] takes the page of a form for none if a proxy or a firewall may have answered', async () => {
    const between: Flaw['between'] = ({ url }) => (url.includes('/paynet/form/') ? FORBIDDEN : undefined)
    const { code, printed } = await certified({ between }, ['--only', 'a page for a form'])
    expect(printed).toMatch(/^not tried .*\n {11}http:.* answers with 403: that may be a proxy or a firewall/)
    expect(code).toBe(1)
  })
})

test('certify praises a gateway whose own 401 is plain text, if it accepts what is right before and after', async () => {
  const headers = { 'content-type': 'text/plain' }
  const plain = { status: 401, headers, body: 'invalid signature: does not match' }
  const { printed } = await certified({ between: (_, { status }) => (status === 403 ? plain : undefined) })
  expect(printed).toMatch(/\n41 right, 0 wrong, 1 not tried\n$/)
})

/** A card that the gateway decides by this CVV. */
function cardOf(cvv2: string): string {
  const card = { cardNumber: '4444555566661111', cardPrintedName: 'A B', expireMonth: '01', expireYear: '2040' }
  return JSON.stringify({ ...card, cvv2 })
}

const cardWith = (cvv2: string) => ({ 'card.json': cardOf(cvv2) })

const keep = () => {}
const TAKEN = /the signature was not refused: .* the gateway refused the request: "/
const BEHIND: Flaw = { options: { publicUrl: 'https://behind.example/paynet' } }

/** A gateway that takes the recurring payment that it made last for any other. */
function withAnyRecurringPayment(path: string, change: (form: Map<string, string>, last: string) => void): Flaw {
  let last = ''
  return {
    says: {
      path: 'create-recurring-payment',
      instead: (reply) => {
        last = String(reply['recurring-payment-id'])
      },
    },
    takes: { path, as: (form) => change(form, last) },
  }
}

/** What a gateway may do wrong, and what is said of it. Each claim has one, here or below. */
const FLAWS: ReadonlyArray<readonly [claim: string, detail: RegExp, flaw: Flaw]> = [
  [
    'accepts the login',
    /login/,
    { options: { merchants: [{ login: 'shop', controlKey: 'other', endpoints: [{ id: '253' }] }] } },
  ],
  ['refuses a wrong control', /the sale was not refused, but accepted/, { takes: { path: 'sale', as: keep } }],
  ['without a control', /the sale was not refused, but accepted/, { takes: { path: 'sale', as: keep } }],
  ['another amount', /the sale was not refused, but accepted/, { takes: { path: 'sale', as: keep } }],
  ...[['HMAC-SHA1', 'send'] as const, ['RSA-SHA256', 'create-card-ref'] as const].flatMap(
    ([method, path]): typeof FLAWS => [
      [`accepts an OAuth signature by ${method}`, /a right signature was refused/, BEHIND],
      [`a wrong signature by ${method}`, TAKEN, { takes: { path, as: keep } }],
      [`under the same signature by ${method}`, TAKEN, { takes: { path, as: keep } }],
      [`an hour ago by ${method}`, TAKEN, { takes: { path, as: keep } }],
      [`used before, by ${method}`, TAKEN, { takes: { path, as: keep } }],
    ],
  ),
  ['refuses HMAC-SHA1 for', TAKEN, { takes: { path: 'create-card-ref', as: keep } }],
  [
    'acknowledges a sale',
    /the acknowledgement has no serial-number/,
    { says: { path: 'sale', instead: (reply) => delete reply['serial-number'] } },
  ],
  [
    'shows its amount',
    /the status shows the amount 1042, not 10.42/,
    {
      says: {
        path: 'status',
        instead: (reply) => {
          reply['amount'] = '1042'
        },
      },
    },
  ],
  [
    'shows its amount',
    /the status shows the amount none, not 10.42/,
    { says: { path: 'status', instead: (reply) => delete reply['amount'] } },
  ],
  [
    'by the client order id alone',
    /it shows the order 1, not \d{15}/,
    {
      says: {
        path: 'status',
        instead: (reply, { body }) => {
          if (!/(?:^|&)orderid=/.test(body)) reply['paynet-order-id'] = '1'
        },
      },
    },
  ],
  ['no second order', /it made a second order, \d{15}/, { options: { allowRepeats: true } }],
  [
    'without a card',
    /not refused, but accepted/,
    { takes: { path: 'sale', as: (form) => form.set('credit_card_number', '4444555566661111') } },
  ],
  [
    'wrong check digit',
    /not refused, but accepted/,
    { takes: { path: 'sale', as: (form) => form.set('credit_card_number', '4444555566661111') } },
  ],
  [
    'returns a part',
    /the return was answered with rejected/,
    { takes: { path: 'return', as: (form) => form.set('amount', '99.00') } },
  ],
  [
    'refuses to return more',
    /the return was not refused, but accepted/,
    { takes: { path: 'return', as: (form) => form.set('amount', '1.00') } },
  ],
  [
    'captures a part',
    /the capture was answered with rejected/,
    { takes: { path: 'capture', as: (form) => form.set('amount', '99.00') } },
  ],
  [
    'refuses to capture more',
    /the capture was not refused, but accepted/,
    { takes: { path: 'capture', as: (form) => form.set('amount', '1.00') } },
  ],
  ['voids a hold', /the void was answered with/, { takes: { path: 'void', as: (form) => form.set('orderid', '1') } }],
  [
    'creates a recurring payment,',
    /the creation was answered with unknown: .* lacks recurring-payment-id/,
    { says: { path: 'create-recurring-payment', instead: (reply) => delete reply['recurring-payment-id'] } },
  ],
  [
    'charges a recurring payment on request',
    /the charge shows the amount 9.00, not 10.42/,
    { takes: { path: 'process-recurring-payment', as: (form) => form.set('amount', '9.00') } },
  ],
  ['no second charge', /it made a second order, \d{15}/, { options: { allowRepeats: true } }],
  [
    'refuses to charge a recurring payment that does not exist',
    /the charge was not refused, but accepted/,
    withAnyRecurringPayment('process-recurring-payment', (form, last) => form.set('recurring-payment-id', last)),
  ],
  [
    'refuses to charge a recurring payment under a wrong signature',
    /the charge was not refused, but accepted/,
    { takes: { path: 'process-recurring-payment', as: keep } },
  ],
  [
    'changes the amount of a recurring payment',
    /the update was answered with rejected: .*recurring-payment-id/,
    { takes: { path: 'update-recurring-payment', as: (form) => form.set('recurring-payment-id', '1') } },
  ],
  [
    'charges the amount that a recurring payment has since',
    /the charge shows the amount 9.00, not 20.42/,
    { takes: { path: 'update-recurring-payment', as: (form) => form.set('amount', '9.00') } },
  ],
  [
    'refuses to change a recurring payment that does not exist',
    /the update was not refused, but accepted/,
    withAnyRecurringPayment('update-recurring-payment', (form, last) => form.set('recurring-payment-id', last)),
  ],
  [
    'creates recurring payments by rows',
    /the creation was answered with rejected/,
    { takes: { path: 'create-recurring-payments', as: (form) => form.set('payload', 'x') } },
  ],
  [
    'charges recurring payments by rows',
    /the charge was answered with rejected/,
    { takes: { path: 'process-recurring-payments', as: (form) => form.set('payload', 'x') } },
  ],
  [
    'charges nothing for a row',
    /an order \w+ was created all the same/,
    withAnyRecurringPayment('process-recurring-payments', (form, last) =>
      form.set('payload', (form.get('payload') ?? '').replace(/,1(?=,|$)/m, `,${last}`)),
    ),
  ],
  [
    'changes recurring payments by rows',
    /the update was answered with rejected/,
    { takes: { path: 'update-recurring-payments', as: (form) => form.set('payload', 'x') } },
  ],
  [
    'a page for a form',
    /its redirect-url is no address: elsewhere\?444455\*{6}1111$/,
    {
      says: {
        path: 'sale-form',
        instead: (reply) => {
          reply['redirect-url'] = 'elsewhere?4444555566661111'
        },
      },
    },
  ],
]

describe('certify finds', () => {
  test.each(FLAWS)('a gateway that does not: %s', async (claim, detail, flaw) => {
    const { code, printed } = await certified(flaw, ['--only', claim])
    expect(printed).toMatch(/^wrong {6}.*\n/)
    expect(printed.split('\n')[1]).toMatch(detail)
    expect(code).toBe(1)
  })

  test('a callback with a wrong control', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const args = ['--only', 'calls the shop back', '--callback-url', url]
    const { printed } = await certified({ options: { sendCallback: forgedCallbacks } }, args)
    expect(printed.split('\n')[1]).toBe('           its control is wrong')
  })

  test('a callback that does not come', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const args = ['--only', 'calls the shop back', '--callback-url', url, '--deadline', '1']
    const { printed } = await certified({ options: { sendCallback: async () => ({ status: 200 }) } }, args)
    expect(printed.split('\n')[1]).toMatch(/no callback of \w+ came within 1 s: no request at all came$/)
  })

  test('a payment that is declined', async () => {
    const args = ['--only', 'approves a sale', '--card', 'card.json']
    const { printed } = await certified({}, args, cardWith('101'))
    expect(printed.split('\n')[1]).toMatch(
      /the sale was to be approved within 60 s, and is declined: Expired card \(code 101\)$/,
    )
  })

  test.each([
    [{ 'error-message': 'no 4444555566661111 cvv2=123' }, ': no 444455******1111 cvv2=***'],
    [{ 'error-code': '7' }, ': without a message (code 7)'],
    [{}, ', without a code or a message'],
  ])('a payment that is declined with %j', async (words, shown) => {
    const instead = (reply: Record<string, unknown>) => {
      delete reply['error-message']
      delete reply['error-code']
      Object.assign(reply, words)
    }
    const args = ['--only', 'approves a sale', '--card', 'card.json']
    const { printed } = await certified({ says: { path: 'status', instead } }, args, cardWith('101'))
    expect(printed.split('\n')[1]).toBe(`           the sale was to be approved within 60 s, and is declined${shown}`)
  })
})

test('tries nothing that RSA-SHA256 signs without the key for it', async () => {
  const gateway = await flawedGateway({})
  const args = [...where, '--base-url', gateway.baseUrl, '--endpoint', '253', '--only', 'RSA-SHA256']
  const { code, printed } = await tryCommand(['certify', ...args], {}, { now: () => Date.now() })
  await gateway.close()
  expect(printed.match(/\n {11}give --private-key-file, the merchant's RSA key\n/g)).toHaveLength(6)
  expect(printed).toMatch(/\n0 right, 0 wrong, 6 not tried\n$/)
  expect(code).toBe(0)
})

test('says once that no OAuth signature is accepted', async () => {
  const { printed } = await certified(BEHIND, ['--only', 'by HMAC-SHA1'])
  expect(printed).toMatch(/a right signature was refused: the gateway may know another address than/)
  expect(printed).toMatch(/\n0 right, 1 wrong, 4 not tried\n$/)
})

test('says what comes instead of an answer to an OAuth signature', async () => {
  const { printed } = await certified({ answers: { path: 'create-card-ref', with: PAGE } }, ['--only', 'by RSA-SHA256'])
  expect(printed).toMatch(/a right signature: HTTP 200 with text\/html is no reply of the gateway/)
  expect(printed).toMatch(/\n0 right, 0 wrong, 5 not tried\n$/)
})

test('praises nobody who refuses every sale for refusing wrong ones', async () => {
  const merchants = [{ login: 'shop', controlKey: KEY, endpoints: [{ id: '253', currencies: ['EUR'] }] }]
  const { printed } = await certified({ options: { merchants } }, ['--only', 'and creates nothing'])
  const why = /\n {11}a sale that is right was answered with rejected too: .*"currency \(currency\) must be one of/g
  expect(printed.match(why)).toHaveLength(5)
  expect(printed).toMatch(/\n0 right, 0 wrong, 7 not tried\n$/)
})

test('finds that a wrong signature is a success', async () => {
  const { httpStatus, mediaType, body } = replyFixture('createCardRefV4')
  const success = { status: httpStatus, headers: { 'content-type': mediaType }, body }
  const args = ['--only', 'refuses a wrong signature by RSA-SHA256']
  const { code, printed } = await certified({ answers: { path: 'create-card-ref', with: success } }, args)
  expect(printed).toMatch(/^wrong .*\n {11}the signature was not refused: it was a success\n/)
  expect(code).toBe(1)
})

test.each(['return', 'capture'])('praises nobody who refuses every %s for refusing one of too much', async (path) => {
  const refusing: Flaw = { takes: { path, as: (form) => form.set('amount', '99.00') } }
  const { code, printed } = await certified(refusing, ['--only', `refuses to ${path} more`])
  expect(printed).toMatch(/^not tried .*\n {11}a \w+ that is right was answered with rejected too: .*exceeds.*\n/)
  expect(printed).toMatch(/\n0 right, 0 wrong, 1 not tried\n$/)
  expect(code).toBe(0)
})

describe('certify of recurring payments', () => {
  test.each([
    ['create-recurring-payment', 12],
    ['process-recurring-payment', 7],
    ['update-recurring-payment', 4],
  ])(
    'tells a gateway without %s, singular and plural, that it is not offered, and fails none of its lines',
    async (path, lines) => {
      const gone = { status: 404, headers: HTML, body: '<h1>Not found</h1>' }
      const between: Flaw['between'] = ({ url }) => (url.includes(`/${path}`) ? gone : undefined)
      const { code, printed } = await certified({ between }, ['--only', 'recurring payment'])
      expect(
        printed.match(new RegExp(`not tried .*\\n {11}not offered: it has no api/v4/${path}s?\\n`, 'g')),
      ).toHaveLength(lines)
      expect(printed).toMatch(new RegExp(`\\n${12 - lines} right, 0 wrong, ${lines} not tried\\n$`))
      expect(code).toBe(0)
    },
  )

  test('tries none that the endpoint refuses to make', async () => {
    const merchants = [
      {
        login: 'shop',
        controlKey: KEY,
        publicKey: testKeyPair().publicKey,
        endpoints: [{ id: '253', currencies: ['EUR'] }],
      },
    ]
    const { code, printed } = await certified({ options: { merchants } }, ['--only', 'on request'])
    expect(printed.split('\n')[1]).toMatch(
      /the creation of a recurring payment that is right was answered with rejected too/,
    )
    expect(code).toBe(0)
  })

  test('tries none without the key that signs them', async () => {
    const gateway = await flawedGateway({})
    const args = [...where, '--base-url', gateway.baseUrl, '--endpoint', '253', '--only', 'recurring payment']
    const { printed } = await tryCommand(['certify', ...args], {}, { now: () => Date.now() })
    await gateway.close()
    expect(printed.match(/\n {11}give --private-key-file, the merchant's RSA key\n/g)).toHaveLength(12)
  })

  test('demands no charge without an amount, which older gateways refuse', async () => {
    const body = '{"type":"validation-error","error-message":"amount is required","error-code":"7"}'
    const refusal = { status: 400, headers: JSON_TYPE, body }
    const flaw: Flaw = { answers: { path: 'process-recurring-payment', with: refusal } }
    const { code, printed } = await certified(flaw, ['--only', 'has since'])
    expect(printed.split('\n')[1]).toMatch(
      /it refuses a charge without an amount, which older pages of the family require/,
    )
    expect(code).toBe(0)
  })
})

describe('certify with payments that are not approved', () => {
  test('waits once for a sale and once for a hold, and says what was not tried for want of them', async () => {
    const { printed } = await certified({}, ['--card', 'card.json'], cardWith('101'))
    expect(printed.match(/the (?:sale|preauth) was to be approved within 60 s, and is declined: .*\n/g)).toHaveLength(2)
    expect(
      printed.match(/\n {11}it needs an approved (?:sale|preauth), and an earlier check got none\n/g),
    ).toHaveLength(6)
    expect(printed).toMatch(/\n31 right, 2 wrong, 9 not tried\n$/)
  })

  test('says that it is asked for 3-D Secure', async () => {
    const args = ['--card', 'card.json', '--only', 'approves a sale', '--deadline', '1']
    const { printed } = await certified({}, args, cardWith('321'))
    expect(printed.split('\n')[1]).toMatch(/its status is processing: it asks for 3-D Secure, so give another card/)
  })
})

/** What takes the customer through 3-D Secure (gaps part 8). */
const STEPS = /^(?:tds-|html$|redirect-to$)/

describe('certify with cards that are not simply approved', () => {
  const DECLINED = ['--only', 'declines a sale']
  const ASKED = ['--only', 'asks the customer']

  test('takes those of the shop', async () => {
    const files = { 'card.json': cardOf('1234'), 'declined.json': cardOf('111'), 'asked.json': cardOf('321') }
    const args = ['--card', 'card.json', '--declined-card', 'declined.json', '--three-ds-card', 'asked.json']
    const { printed } = await certified({}, [...args, '--only', 'with a card that is declined'], files)
    expect(printed.split('\n')[1]).toBe('           the sale was to be declined within 60 s, and is approved')
    expect((await certified({}, [...args, ...ASKED], files)).printed).toMatch(/\n1 right, 0 wrong, 0 not tried\n$/)
  })

  test.each([
    [DECLINED, '--declined-card'],
    [ASKED, '--three-ds-card'],
  ])("tries none of its own where the card is the shop's: %j", async (only, option) => {
    const { printed } = await certified({}, ['--card', 'card.json', ...only], cardWith('1234'))
    expect(printed.split('\n')[1]).toBe(`           give ${option}, since --card is not the card of the family`)
  })

  test('says what became of a sale that is never declined', async () => {
    const instead = (reply: Record<string, unknown>) => {
      if (reply['status'] === 'declined') reply['status'] = 'processing'
    }
    const { printed } = await certified({ says: { path: 'status', instead } }, [...DECLINED, '--deadline', '1'])
    expect(printed.split('\n')[1]).toBe(
      '           the sale was to be declined within 1 s, and is undecided, its status is processing',
    )
  })

  test.each(['error-code', 'error-message'])('finds that a declined sale has no %s', async (name) => {
    const instead = (reply: Record<string, unknown>) => void delete reply[name]
    const { printed } = await certified({ says: { path: 'status', instead } }, DECLINED)
    expect(printed.split('\n')[1]).toBe(`           the status has no ${name}`)
  })

  test('finds that the customer is asked for nothing', async () => {
    const instead = (reply: Record<string, unknown>) => {
      for (const name of Object.keys(reply)) if (STEPS.test(name)) delete reply[name]
    }
    const { printed } = await certified({ says: { path: 'status', instead } }, [...ASKED, '--deadline', '1'])
    expect(printed.split('\n')[1]).toBe(
      '           within 1 s, the status has neither an outcome nor what the browser needs',
    )
  })

  test('says that an endpoint asks nobody', async () => {
    const args = ['--three-ds-card', 'card.json', ...ASKED]
    const { code, printed } = await certified({}, args, cardWith('111'))
    expect(printed.split('\n')[1]).toBe('           the sale is approved: this endpoint asks for no 3-D Secure')
    expect(code).toBe(0)
  })
})

const where = [
  '--base-url',
  'https://gate.example.com/paynet',
  '--login',
  'shop',
  '--endpoint',
  '1',
  '--key-file',
  'control.key',
]

describe('certify listens for callbacks', () => {
  test.each([
    ['http://shop.example/cb', [], { host: undefined, port: 80 }],
    ['http://shop.example:8080/', [], { host: undefined, port: 8080 }],
    ['http://shop.example:8080/', ['--callback-listen', '9000'], { host: undefined, port: 9000 }],
    ['https://shop.example:8443/', ['--callback-listen', 'localhost:9000'], { host: 'localhost', port: 9000 }],
    ['https://shop.example/', ['--callback-listen', '[::1]:9000'], { host: '::1', port: 9000 }],
  ])('of %s with %j', async (url, others, address) => {
    const asked: ListenAddress[] = []
    const listen = async (at: ListenAddress) => {
      asked.push(at)
      throw new Error('enough')
    }
    const args = ['certify', ...where, '--callback-url', url, ...others]
    await expect(tryCommand(args, {}, { listen })).rejects.toThrow('enough')
    expect(asked).toEqual([address])
  })
})

describe('certify refuses', () => {
  test('a port that is taken', async () => {
    const taken = createServer().listen(0)
    const address = taken.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const wrong = certified({}, ['--callback-url', `http://127.0.0.1:${port}/`])
    await expect(wrong).rejects.toThrow(`nobody can listen on the port ${port} (EADDRINUSE)`)
    await new Promise((resolve) => taken.close(resolve))
  })

  test.each(['0', '65536', ':8080', 'http://127.0.0.1:8080', '127.0.0.1'])('to listen at %s', async (at) => {
    const wrong = tryCommand(['certify', ...where, '--callback-url', 'https://a.example/', '--callback-listen', at])
    await expect(wrong).rejects.toThrow('--callback-listen takes HOST:PORT or PORT')
  })

  test.each([
    [[], '--base-url is missing'],
    [['sale'], 'there is no certify sale: write certify shop or certify gateway'],
    [where.slice(0, 2), '--login is missing'],
    [where.slice(0, 4), 'the control key is missing'],
    [[...where.slice(0, 4), '--key-file', 'control.key'], '--endpoint is missing'],
    [
      [...where, '--base-url', 'http://gate.example.com/paynet'],
      /^--base-url must be https beyond this machine: .* \(or set --allow-plain-http\)$/,
    ],
    [[...where, '--proxy', 'socks://proxy.example.com'], /^--proxy must be the http address of a proxy/],
    [[...where, '--only', 'refunds'], '--only: no line has the text refunds'],
    [[...where, '--deadline', 'soon'], '--deadline takes seconds'],
    [[...where, '--amount', '1.00'], '--amount takes an amount above 1.00'],
    [[...where, '--amount', '10,42'], '--amount takes an amount above 1.00'],
    [
      [...where, '--currency', 'XXX'],
      /^no payment can be made of this:\ncurrency \(currency\) must be three capital letters/,
    ],
    [[...where, '--card', 'wrong.json'], /^no payment can be made of this:\ncardNumber .* Luhn check.*\ncvv2 .*$/],
    [[...where, '--declined-card', 'wrong.json'], /^no payment can be made of --declined-card:\ncardNumber .* Luhn/],
    [[...where, '--three-ds-card', 'wrong.json'], /^no payment can be made of --three-ds-card:\ncardNumber .* Luhn/],
    [[...where, '--endpoint', 'abc'], /^--endpoint must be a whole number/],
    [[...where, '--currency', 'dollars'], '--currency takes a code'],
    [[...where, '--callback-url', 'http://user:word@a.example/'], 'without user name and password'],
    [[...where, '--callback-url', ':8080'], '--callback-url takes an absolute address'],
    [
      [...where, '--callback-url', 'https://shop.example/cb'],
      'an https --callback-url needs --callback-listen HOST:PORT',
    ],
    [[...where, '--callback-listen', '8080'], '--callback-url is missing: where the gateway reaches'],
    [[...where, '--card', 'card.json'], 'card.json must hold a JSON object with the texts cardNumber, '],
    [[...where, '--card', 'paid.json'], 'paid.json: amount is no part of a card: leave it out'],
  ])('%j', async (args, says) => {
    const wrong = { cardNumber: '1', cardPrintedName: 'A', expireMonth: '01', expireYear: '2040', cvv2: 'x' }
    const files = {
      'card.json': '{ "cardNumber": 4444555566661111 }',
      'wrong.json': JSON.stringify(wrong),
      'paid.json': JSON.stringify({ ...wrong, amount: '5.00' }),
    }
    await expect(tryCommand(['certify', ...args], files)).rejects.toThrow(says)
  })
})
