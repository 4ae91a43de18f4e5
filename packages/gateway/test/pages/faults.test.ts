import { expect, test } from 'vitest'
import type { CallbackAnswer } from '../../src/index.ts'
import { visitor } from '../support/page-visitor.ts'
import { form } from '../support/signed-requests.ts'
import { redirected, threeDsDesk } from '../support/three-ds.ts'

/** Amounts of the table of faults, in the sandbox. */
const ABANDONED = '666.20'
const METHOD_TIME_OUT = '666.21'
const CALLBACK_FIRST = '666.14'

test.for(['challenge', 'pareq'] as const)(
  'with three-ds-abandoned nobody comes back from the issuer: %s',
  async (card) => {
    const { begin, told, gateway } = threeDsDesk({ sandbox: true })
    const { ids, redirectTo } = await begin({ ...redirected(card), amount: ABANDONED })
    const { go, answer } = visitor(gateway)
    const last = await answer(await go(redirectTo), { code: 'hint' })
    expect(last).toMatchObject({ forms: [], text: expect.stringContaining('Nobody comes back from here') })
    expect(await told(ids)).toMatchObject({ status: 'processing', 'order-stage': 'sale_3d_validating' })
    await gateway.clock.advance('31m')
    expect(await told(ids)).toMatchObject({ status: 'declined' })
  },
)

test('with method-time-out the frame never answers, and the page goes on by itself', async () => {
  const { begin, told, gateway } = threeDsDesk({ sandbox: true })
  const { ids, redirectTo } = await begin({ ...redirected('method'), amount: METHOD_TIME_OUT })
  const { open, submit } = visitor(gateway)
  const page = await open(redirectTo)
  const frame = page.forms.find(({ target }) => target === 'method')
  if (frame === undefined) throw new Error('there is no method frame')
  expect(await submit(frame)).toMatchObject({ forms: [], text: expect.stringContaining('Nobody comes back from here') })
  expect(await told(ids)).toMatchObject({ status: 'processing' })
  const timer = page.forms.find(({ after }) => after === 10_000)
  if (timer === undefined) throw new Error('nothing goes on after ten seconds')
  expect((await submit(timer)).forms[0]?.action).toContain('/acs/challenge/')
})

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
