import { describe, expect, test } from 'vitest'
import type { CallbackAnswer } from '../../src/callbacks/callback-answer.ts'
import { type Acquirer, FAULTS, type FaultName, simulator } from '../../src/index.ts'
import { issuer } from '../support/issuer.ts'
import { visitor } from '../support/page-visitor.ts'
import { type Fields, fieldsOf, form, SALE } from '../support/signed-requests.ts'
import type { TestGatewayOptions } from '../support/test-gateway.ts'
import { RETURN_URL, redirected, serverToServer, threeDsDesk } from '../support/three-ds.ts'

/** The ways in which a payment can get a fault. */
const WAYS = ['amount', 'card', 'API', 'seed'] as const
const ABANDONED = WAYS.flatMap((way) => (['challenge', 'pareq'] as const).map((step) => [step, way] as const))

const DEAD_END = { forms: [], text: expect.stringContaining('Nobody comes back from here') }

/** A sandbox in which the next payment has a fault. `by` is what its fields have to be for that, if they decide it. */
function withFault(fault: FaultName, way: (typeof WAYS)[number], options: TestGatewayOptions = {}) {
  const faults = way === 'seed' ? { faults: { seed: 7, only: [fault] } } : {}
  const made = threeDsDesk({ sandbox: true, ...faults, ...options })
  if (way === 'API') made.gateway.faults.next('sale', fault)
  const { amount, card } = FAULTS[fault]
  const by: Fields = {
    ...(way === 'amount' ? { amount: String(Number(amount) / 100) } : {}),
    ...(way === 'card' ? { credit_card_number: card } : {}),
  }
  return { ...made, by }
}

/** A sandbox in which 3DS begins with this step for every card, including the card of the fault. */
const abandoned = (step: 'challenge' | 'pareq', way: (typeof WAYS)[number]) =>
  withFault('three-ds-abandoned', way, { acquirer: simulator({ authentication: step }) })

test.for(ABANDONED)(
  'with three-ds-abandoned the customer does not come back from the issuer: %s, by %s',
  async ([step, way]) => {
    const { begin, told, gateway, by } = abandoned(step, way)
    const { ids, redirectTo } = await begin({ cvv2: '321', redirect_url: RETURN_URL, ...by })
    const { go, answer } = visitor(gateway)
    expect(await answer(await go(redirectTo), { code: 'hint' })).toMatchObject(DEAD_END)
    expect(await told(ids)).toMatchObject({ status: 'processing', 'order-stage': 'sale_3d_validating' })
    await gateway.clock.advance('31m')
    expect(await told(ids)).toMatchObject({ status: 'declined' })
  },
)

test.for(ABANDONED)(
  'with three-ds-abandoned a merchant that takes the customer through 3DS waits in vain: %s, by %s',
  async ([step, way]) => {
    const { sale, told, gateway, by } = abandoned(step, way)
    const { credit_card_number: _, ...browser } = serverToServer(step)
    const ids = await sale({ ...browser, ...by })
    const shown = await told(ids)
    const field = (name: string) => shown[`tds-${name}`] ?? ''
    const { post, answer } = visitor(gateway)
    const asked =
      step === 'challenge'
        ? await post(field('creq-form-acs-url'), { creq: field('creq-form-creq') })
        : await post(field('pareq-form-acs-url'), { PaReq: field('pareq-form-pareq'), MD: 'x', TermUrl: RETURN_URL })
    expect(await answer(asked, { code: 'hint' })).toMatchObject(DEAD_END)
    expect(await told(ids)).toEqual({ ...shown, 'serial-number': expect.any(String) })
    await gateway.clock.advance('31m')
    expect(await told(ids)).toMatchObject({ status: 'declined' })
  },
)

test.for(
  WAYS.filter((way) => way !== 'card').flatMap((way) =>
    (['redirected', 'server to server'] as const).map((course) => [way, course] as const),
  ),
)(
  'with three-ds-abandoned nobody comes back from an issuer who is content with the method frame, either: by %s, %s',
  async ([way, course]) => {
    const { sale, told, upload, gateway, by } = withFault('three-ds-abandoned', way)
    const fields = course === 'redirected' ? redirected('frictionless') : serverToServer('frictionless')
    const ids = await sale({ ...fields, ...by })
    const shown = await told(ids)
    const { go, post, answer } = visitor(gateway)
    if (course === 'redirected') {
      expect(await answer(await go(shown['redirect-to'] ?? ''), { code: 'hint' })).toMatchObject(DEAD_END)
    } else {
      await upload('method-url', ids, { threeDSCompInd: 'Y' })
      const { 'tds-creq-form-acs-url': address = '', 'tds-creq-form-creq': creq = '' } = await told(ids)
      expect(await answer(await post(address, { creq }), { code: 'hint' })).toMatchObject(DEAD_END)
    }
    expect(await told(ids)).toMatchObject({ status: 'processing' })
    await gateway.clock.advance('31m')
    expect(await told(ids)).toMatchObject({ status: 'declined' })
  },
)

/** With the fault every issuer has a method frame. Where each card leads when its time is over. */
const AFTER_THE_FRAME = {
  challenge: '/acs/challenge/',
  method: '/acs/challenge/',
  frictionless: RETURN_URL,
  noMethodUrl: '/acs/challenge/',
  pareq: '/acs/pareq/',
} as const
const TIMED_OUT = WAYS.flatMap((way) =>
  (Object.keys(AFTER_THE_FRAME) as (keyof typeof AFTER_THE_FRAME)[])
    .filter((card) => way !== 'card' || card === 'challenge')
    .map((card) => [card, way] as const),
)

test.for(TIMED_OUT)(
  'with method-time-out the frame never answers, and the page goes on by itself: %s, by %s',
  async ([card, way]) => {
    const { begin, told, gateway, by } = withFault('method-time-out', way)
    const { ids, redirectTo } = await begin({ ...redirected(card), ...by })
    const { open, submit } = visitor(gateway)
    const page = await open(redirectTo)
    const frame = page.forms.find(({ target }) => target === 'method')
    if (frame === undefined) throw new Error('there is no method frame')
    expect(await submit(frame)).toMatchObject(DEAD_END)
    expect(await told(ids)).toMatchObject({ status: 'processing' })
    const timer = page.forms.find(({ after }) => after === 10_000)
    if (timer === undefined) throw new Error('nothing goes on after ten seconds')
    expect((await submit(timer)).forms[0]?.action).toContain(AFTER_THE_FRAME[card])
  },
)

test.for(['challenge', 'pareq'] as const)(
  'with method-time-out a merchant that takes the customer through 3DS waits for the frame in vain: %s',
  async (card) => {
    const { sale, told, upload, shown, store, by } = withFault('method-time-out', 'amount')
    const ids = await sale({ ...serverToServer(card), ...by })
    expect(await told(ids)).toMatchObject({ 'tds-status': 'MethodUrlFrame' })
    await upload('method-url', ids, { threeDSCompInd: 'N' })
    expect(await told(ids)).toMatchObject({ 'tds-status': card === 'pareq' ? 'PaReqForm' : 'CReqForm' })
    if (card === 'challenge') await upload('cres', ids, { cRes: await issuer(store).cRes(ids.orderid) })
    else await upload('pares', ids, { paRes: await issuer(store).paRes(ids.orderid) })
    expect((await shown(ids))[0]).toBe('approved')
  },
)

describe('with method-time-out, when the process died that', () => {
  const inner = simulator()
  const never = () => Promise.withResolvers<never>().promise

  /** The next process on the store of one that waits for its acquirer forever. */
  async function next(acquirer: Acquirer) {
    const died = withFault('method-time-out', 'amount', { acquirer })
    const opening = died.gateway.handle(
      died.request('/api/v2/sale', { ...SALE, ...serverToServer('challenge'), ...died.by }),
    )
    const { 'paynet-order-id': orderid = '' } = fieldsOf(await opening)
    const ids = { client_orderid: 'inv-1', orderid }
    if (acquirer.execute !== never) await died.gateway.settled()
    const uploaded = { 'client-order-id': 'inv-1', orderid, threeDSCompInd: 'N' }
    await died.gateway.handle(died.request('/api/3ds/v1/upload-method-url-result', uploaded))
    const desk = threeDsDesk({ sandbox: true, store: died.store })
    await desk.recovered()
    await desk.clock.advance('1m')
    await desk.gateway.settled()
    return await desk.told(ids)
  }

  test('had sent the payment, the frame is there', async () => {
    expect(await next({ ...inner, execute: never })).toMatchObject({ 'tds-status': 'MethodUrlFrame' })
  })

  test('had the end of the frame, the customer is not led back to it', async () => {
    expect(await next({ ...inner, lookup: never })).toMatchObject({ 'tds-status': 'CReqForm' })
  })
})

test.for(WAYS)('an order without 3DS continues without a fault of 3DS: by %s', async (way) => {
  for (const fault of ['three-ds-abandoned', 'method-time-out'] as const) {
    const { sale, shown, by } = withFault(fault, way)
    expect((await shown(await sale(by)))[0]).toBe('approved')
  }
})

test.for(WAYS)(
  'with callback-before-return the browser goes back when the callback was sent, and no sooner: by %s',
  async (way) => {
    const [called, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<CallbackAnswer>()]
    const sendCallback = async () => {
      called.resolve()
      return await answer.promise
    }
    const { begin, gateway, by } = withFault('callback-before-return', way, { sendCallback })
    const callback = { server_callback_url: 'https://shop.example.com/cb' }
    const { redirectTo } = await begin({ ...redirected('challenge'), ...callback, ...by })
    const { open, submit } = visitor(gateway)
    const [toIssuer] = (await open(redirectTo)).forms
    const [code] = toIssuer === undefined ? [] : (await submit(toIssuer)).forms
    const [back] = code === undefined ? [] : (await submit(code, { code: 'hint' })).forms
    if (back === undefined) throw new Error('the issuer leads nowhere')
    // From here on by hand: the visitor would wait until everything is settled, and the callback is still under way.
    const { origin } = new URL(back.action)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await gateway.handle({ method: 'POST', url: back.action.slice(origin.length), headers, body: form(back.fields) })
    await called.promise
    let isBack = false
    const goingBack = gateway.handle({ method: 'GET', url: redirectTo.slice(origin.length), headers: {}, body: '' })
    void goingBack.then(() => {
      isBack = true
    })
    await new Promise(setImmediate)
    expect(isBack).toBe(false)
    answer.resolve({ status: 200 })
    expect((await goingBack).body).toContain('https://shop.example.com/return')
  },
)

test("with callback-before-return who answers a shop's issuer too late goes back no sooner, either", async () => {
  const answer = Promise.withResolvers<CallbackAnswer>()
  const { sale, told, gateway, by } = withFault('callback-before-return', 'API', { sendCallback: () => answer.promise })
  const callback = { server_callback_url: 'https://shop.example.com/cb' }
  const { 'tds-creq-form-acs-url': address = '', 'tds-creq-form-creq': creq = '' } = await told(
    await sale({ ...serverToServer('challenge'), ...callback, ...by }),
  )
  const late = gateway.clock.advance('31m')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { origin } = new URL(address)
  let isBack = false
  const goingBack = (async () => {
    await new Promise(setImmediate)
    const url = address.slice(origin.length)
    const reply = await gateway.handle({ method: 'POST', url, headers, body: form({ creq }) })
    isBack = true
    return reply
  })()
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(isBack).toBe(false)
  answer.resolve({ status: 200 })
  expect((await goingBack).body).toContain('https://shop.example.com/return')
  await late
})
