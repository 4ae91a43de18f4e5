import { describe, expect, test } from 'vitest'
import { type Decision, simulator } from '../../src/index.ts'
import type { AuthenticationRequest } from '../../src/orders/order.ts'
import { APPROVED, deciding } from '../support/acquirers.ts'
import { STEPS } from '../support/issuer.ts'
import { visitor } from '../support/page-visitor.ts'
import { BASE_URL } from '../support/signed-requests.ts'
import { RETURN_URL, redirected, SOLD, threeDsDesk, VALIDATING } from '../support/three-ds.ts'

describe('the way to an issuer elsewhere', () => {
  const { method, challenge, pareq } = STEPS
  test.for<readonly [step: string, awaits: AuthenticationRequest, policy: string]>([
    ['method', method, "form-action 'self' https:; frame-src 'self' https:"],
    ['challenge', challenge, 'form-action https:'],
    ['pareq', pareq, 'form-action https:'],
    [
      'method by http',
      { ...method, methodUrl: 'http://127.0.0.1:8443/method' },
      "form-action 'self' http: https:; frame-src 'self' http: https:",
    ],
    ['challenge by http', { ...challenge, acsUrl: 'http://127.0.0.1:8443/creq' }, 'form-action http: https:'],
    ['pareq by http', { ...pareq, acsUrl: 'http://127.0.0.1:8443/pareq' }, 'form-action http: https:'],
  ])('stays open where it redirects to another of its hosts: %s', async ([, awaits, policy]) => {
    const acquirer = deciding({ execute: async () => ({ status: 'processing', awaits }) })
    const { begin, gateway } = threeDsDesk({ acquirer })
    const { redirectTo } = await begin(redirected('challenge'))
    const { reply } = await visitor(gateway).open(redirectTo)
    expect(reply.headers['content-security-policy']).toMatch(new RegExp(`; img-src data:; ${policy}$`))
  })
})

test('an issuer that was given no session data returns none, or an empty text: its result is accepted either way', async () => {
  const ways = [
    [{ ...STEPS.challenge, threeDsSessionData: '' }, 'challenge', { cres: 'cres' }, 'threeDSSessionData'],
    [{ ...STEPS.pareq, md: '' }, 'pares', { PaRes: 'pares' }, 'MD'],
  ] as const
  for (const [awaits, path, result, name] of ways) {
    for (const given of [{}, { [name]: '' }]) {
      const acquirer = deciding({
        execute: async () => ({ status: 'processing', awaits }),
        authenticate: async () => APPROVED,
      })
      const { begin, shown, gateway } = threeDsDesk({ acquirer })
      const { ids, redirectTo } = await begin(redirected('challenge'))
      const address = redirectTo.replace('/3ds/redirect/', `/3ds/${path}/`)
      await visitor(gateway).post(address, { ...result, ...given })
      expect(await shown(ids)).toEqual(SOLD)
    }
  }
})

const SENT = 'c2Vzc2lvbi1vZi1vbmU'
const OTHERS = 'c2Vzc2lvbi1vZi10d28'
const [ONE, TWO] = ['8a880dc0-d2d2-4067-bcb1-b08d1690b26e', '0b9a4f1e-1111-4067-bcb1-b08d1690b26e']

test.for<readonly [what: string, isTaken: boolean, cReq: object, sent: string, cRes: object, back: string | undefined]>(
  [
    ['names its transaction, whatever its data', true, { acsTransID: ONE }, SENT, { acsTransID: ONE }, OTHERS],
    ['names it in capitals', true, { acsTransID: ONE }, SENT, { acsTransID: ONE.toUpperCase() }, ''],
    [
      'names it by the id that both have',
      true,
      { threeDSServerTransID: ONE },
      SENT,
      { acsTransID: TWO, threeDSServerTransID: ONE },
      undefined,
    ],
    ['names none, with its data', true, { acsTransID: ONE }, SENT, {}, SENT],
    ['names none, as its CReq, with its data', true, {}, SENT, {}, SENT],
    ['names none, as its CReq, without data', true, {}, SENT, {}, ''],
    ['names none, with the data of another', false, { acsTransID: ONE }, SENT, {}, OTHERS],
    ['names none, as its CReq, with the data of another', false, {}, SENT, {}, OTHERS],
    ['names none, as its CReq, with data although none was sent', false, {}, '', {}, OTHERS],
    ['names none, although its CReq names one, without data', false, { acsTransID: ONE }, SENT, {}, ''],
    ['names another, without data', false, { acsTransID: ONE }, SENT, { acsTransID: TWO }, ''],
    ['names another, and none had data', false, { acsTransID: ONE }, '', { acsTransID: TWO }, ''],
    ['names another, with no data in words', false, { acsTransID: ONE }, SENT, { acsTransID: TWO }, 'null'],
    ['names none, although its CReq names one, with blank data', false, { acsTransID: ONE }, SENT, {}, '%20'],
    ['names another, with the data of that', false, { acsTransID: ONE }, SENT, { acsTransID: TWO }, OTHERS],
    [
      'names another of the same shop',
      false,
      { acsTransID: ONE, threeDSServerTransID: ONE },
      '',
      { acsTransID: TWO, threeDSServerTransID: ONE },
      undefined,
    ],
  ],
)('[F-A6] a CRes that %s: taken %s', async ([, isTaken, cReq, threeDsSessionData, cRes, threeDSSessionData]) => {
  const base64url = (message: object) => Buffer.from(JSON.stringify(message)).toString('base64url')
  const awaits = { ...STEPS.challenge, creq: base64url(cReq), threeDsSessionData }
  const acquirer = deciding({
    execute: async () => ({ status: 'processing', awaits }),
    authenticate: async () => APPROVED,
  })
  const { begin, shown, gateway } = threeDsDesk({ acquirer })
  const { ids, redirectTo } = await begin(redirected('challenge'))
  const given = threeDSSessionData === undefined ? {} : { threeDSSessionData }
  const address = redirectTo.replace('/3ds/redirect/', '/3ds/challenge/')
  await visitor(gateway).post(address, { cres: base64url(cRes), ...given })
  expect(await shown(ids)).toEqual(isTaken ? SOLD : VALIDATING)
})

test('[F-A7] a result that comes twice, once empty, is the other', async () => {
  for (const [awaits, body] of [
    [STEPS.challenge, 'cres=&CRes=Y3Jlcw'],
    [STEPS.pareq, 'PaRes=cGFyZXM=&pares='],
    [STEPS.pareq, 'pares=&PaRes=cGFyZXM='],
  ] as const) {
    const values: string[] = []
    const acquirer = deciding({
      execute: async () => ({ status: 'processing', awaits }),
      authenticate: async (_, { value }) => {
        values.push(value)
        return APPROVED
      },
    })
    const { begin, gateway } = threeDsDesk({ acquirer })
    const { redirectTo } = await begin(redirected('challenge'))
    const path = awaits.step === 'pareq' ? 'pares' : 'challenge'
    const url = new URL(redirectTo).pathname.replace('/3ds/redirect/', `/3ds/${path}/`)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await gateway.handle({ method: 'POST', url, headers, body })
    await gateway.settled()
    expect(values).toEqual([awaits.step === 'pareq' ? 'cGFyZXM=' : 'Y3Jlcw'])
  }
})

/** A customer who comes back from the issuer after this time, while the acquirer does not answer until `asked`. */
async function backAfter(awayMs: number) {
  const inner = simulator()
  const asked = Promise.withResolvers<void>()
  const authenticate = async (...of: Parameters<typeof inner.authenticate>): Promise<Decision> => {
    await asked.promise
    return await inner.authenticate(...of)
  }
  const made = threeDsDesk({ acquirer: deciding({ authenticate }) })
  const { gateway, clock, begin } = made
  const { redirectTo } = await begin(redirected('challenge'))
  const { go, submit } = visitor(gateway)
  const atIssuer = await go(redirectTo)
  const [code] = 'to' in atIssuer ? [] : atIssuer.forms
  if (code === undefined) throw new Error('The issuer asks for nothing')
  const [brought] = (await submit(code, { code: 'hint' })).forms
  await clock.advance(awayMs)
  await gateway.handle({
    method: 'POST',
    url: (brought?.action ?? '').slice(new URL(BASE_URL).origin.length),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(brought?.fields).toString(),
  })
  const look = async () => {
    const url = redirectTo.slice(new URL(BASE_URL).origin.length)
    const { headers, body } = await gateway.handle({ method: 'GET', url, headers: {}, body: '' })
    return { refresh: headers['refresh'], leaves: body.includes(RETURN_URL.replaceAll('&', '&amp;')) }
  }
  return { ...made, look, answer: asked.resolve }
}

const WAITS = { refresh: '2', leaves: false }
const LEAVES = { refresh: undefined, leaves: true }

describe('a customer who comes back from the issuer', () => {
  test('waits for the outcome, however long the issuer took', async () => {
    for (const awayMs of [10_000, 91_000, 25 * 60_000]) {
      const { look, answer, gateway } = await backAfter(awayMs)
      expect(await look()).toEqual(WAITS)
      answer()
      await gateway.settled()
      expect(await look()).toEqual(LEAVES)
    }
  })

  test('goes back without an outcome after a minute and a half', async () => {
    const { look, clock, answer } = await backAfter(91_000)
    await clock.advance(89_999)
    expect(await look()).toEqual(WAITS)
    await clock.advance(1)
    expect(await look()).toEqual(LEAVES)
    answer()
  })
})
