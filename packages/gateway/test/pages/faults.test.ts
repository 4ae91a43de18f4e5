import { expect, test } from 'vitest'
import type { CallbackAnswer } from '../../src/index.ts'
import { FAULTS, type FaultName } from '../../src/index.ts'
import { visitor } from '../support/page-visitor.ts'
import { form } from '../support/signed-requests.ts'
import { redirected, threeDsDesk } from '../support/three-ds.ts'

/** An amount of the table of faults, in the sandbox. */
const CALLBACK_FIRST = '666.14'

/** A customer of a sandbox, and how a payment of his has a fault. */
function withFault(fault: FaultName) {
  const made = threeDsDesk({ sandbox: true })
  return {
    ...made,
    /** The fields that ask for it. */
    by: {
      amount: () => ({ amount: String(Number(FAULTS[fault].amount) / 100) }),
      card: () => ({ credit_card_number: FAULTS[fault].card }),
      API: () => {
        made.gateway.chaos.next('sale', fault)
        return {}
      },
    },
  }
}

test.for([
  ['challenge', 'amount'],
  ['pareq', 'amount'],
  ['challenge', 'card'],
  ['challenge', 'API'],
  ['pareq', 'API'],
] as const)('with three-ds-abandoned nobody comes back from the issuer: %s, by %s', async ([card, way]) => {
  const { begin, told, gateway, by } = withFault('three-ds-abandoned')
  const { ids, redirectTo } = await begin({ ...redirected(card), ...by[way]() })
  const { go, answer } = visitor(gateway)
  const last = await answer(await go(redirectTo), { code: 'hint' })
  expect(last).toMatchObject({ forms: [], text: expect.stringContaining('Nobody comes back from here') })
  expect(await told(ids)).toMatchObject({ status: 'processing', 'order-stage': 'sale_3d_validating' })
  await gateway.clock.advance('31m')
  expect(await told(ids)).toMatchObject({ status: 'declined' })
})

test.for(['amount', 'card', 'API'] as const)(
  'with method-time-out the frame never answers, and the page goes on by itself: by %s',
  async (way) => {
    const { begin, told, gateway, by } = withFault('method-time-out')
    const { ids, redirectTo } = await begin({ ...redirected('method'), ...by[way]() })
    const { open, submit } = visitor(gateway)
    const page = await open(redirectTo)
    const frame = page.forms.find(({ target }) => target === 'method')
    if (frame === undefined) throw new Error('there is no method frame')
    expect(await submit(frame)).toMatchObject({
      forms: [],
      text: expect.stringContaining('Nobody comes back from here'),
    })
    expect(await told(ids)).toMatchObject({ status: 'processing' })
    const timer = page.forms.find(({ after }) => after === 10_000)
    if (timer === undefined) throw new Error('nothing goes on after ten seconds')
    expect((await submit(timer)).forms[0]?.action).toContain('/acs/challenge/')
  },
)

test('with callback-before-return the browser goes back when the callback was sent, and no sooner', async () => {
  const [called, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<CallbackAnswer>()]
  const sendCallback = async () => {
    called.resolve()
    return await answer.promise
  }
  const { begin, gateway } = threeDsDesk({ sandbox: true, sendCallback })
  const callback = { server_callback_url: 'https://shop.example.com/cb', amount: CALLBACK_FIRST }
  const { redirectTo } = await begin({ ...redirected('challenge'), ...callback })
  const { open, submit } = visitor(gateway)
  const [toIssuer] = (await open(redirectTo)).forms
  const [code] = toIssuer === undefined ? [] : (await submit(toIssuer)).forms
  const [back] = code === undefined ? [] : (await submit(code, { code: 'hint' })).forms
  if (back === undefined) throw new Error('the issuer leads nowhere')
  // From here on by hand: the visitor waits until nothing goes on, and the callback does.
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
})
