import { createCallbackHandler, type PaymentOutcome, payoutInSteps } from '@tallystick/client'
import { type OperationKey, operationKeys } from '@tallystick/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { MissingAnswerError } from '../src/fake-client/scripted-transport.ts'
import {
  accepted,
  buildInput,
  type FakeClient,
  fakeClient,
  gatewayFailed,
  notSent,
  rejected,
  replyValues,
  saleInput,
  signatureRefused,
  signedCallback,
  unknown,
  verifyScripts,
} from '../src/index.ts'
import { UnusedScriptError } from '../src/unused-scripts.ts'

/** Any operation, since all of them have the same two arguments. */
function call(fake: ReturnType<typeof fakeClient>, key: OperationKey, input: object): Promise<unknown> {
  return (fake[key] as (input: object) => Promise<unknown>)(input)
}

describe.for(operationKeys)('%s of a fake client', (key) => {
  test('gives the scripted answer, and is recorded as a gateway reads it', async () => {
    const fake = fakeClient()
    const input = buildInput(key)
    fake.answer(key, accepted())
    const result = await call(fake, key, input)
    const reply = (result as { readonly reply?: object }).reply ?? result
    expect(reply).toMatchObject({ type: replyValues(key).type })
    expect(fake.calls.map(({ operation }) => operation)).toEqual([key])
    const [name, given] = Object.entries(input)[0] ?? []
    const [called] = fake.callsOf(key) as readonly Readonly<Record<string, unknown>>[]
    expect(String(called?.[name ?? ''])).toBe(String(given))
    fake.verify()
  })

  test('without an answer fails with its name and what to write', async () => {
    const fake = fakeClient()
    const calling = call(fake, key, buildInput(key))
    await expect(calling).rejects.toThrow(MissingAnswerError)
    await expect(calling).rejects.toThrow(
      `${key} was called, and this fake client has no answer left for it. Write fake.answer('${key}', accepted())`,
    )
  })
})

describe('an operation', () => {
  const input = saleInput({ amount: '7.00' })

  test('is accepted with the ids of its request and the fields that the test names', async () => {
    const fake = fakeClient()
    fake.answer('sale', accepted({ orderId: '42' }))
    expect(await fake.sale(input)).toMatchObject({
      outcome: 'accepted',
      reply: { type: 'async-response', orderId: '42', clientOrderId: input.clientOrderId },
    })
  })

  test('ends as the real client would end it', async () => {
    const fake = fakeClient()
    fake.answer('sale', rejected({ errorMessage: 'No such currency', errorCode: '7' }), signatureRefused(), notSent())
    fake.answer('sale', gatewayFailed({ errorMessage: 'Out of order' }), unknown())
    expect(await fake.sale(input)).toMatchObject({
      outcome: 'rejected',
      error: { code: 'REJECTED', errorMessage: 'No such currency', errorCode: '7' },
    })
    expect(await fake.sale(input)).toMatchObject({ outcome: 'rejected', error: { code: 'AUTH_REJECTED' } })
    expect(await fake.sale(input)).toMatchObject({ outcome: 'notSent', error: { code: 'NOT_SENT', retry: 'safe' } })
    expect(await fake.sale(input)).toMatchObject({
      outcome: 'unknown',
      error: { code: 'GATEWAY_ERROR', errorMessage: 'Out of order' },
    })
    expect(await fake.sale(input)).toMatchObject({ outcome: 'unknown', error: { code: 'NO_REPLY' } })
    expect(fake.callsOf('sale')).toHaveLength(5)
    expect(fake.callsOf('status')).toEqual([])
    fake.verify()
  })

  test('on an existing order is refused without a status check', async () => {
    const fake = fakeClient()
    fake.answer('capture', rejected())
    expect(await fake.capture(buildInput('capture'))).toMatchObject({ outcome: 'rejected' })
    fake.answer('status', accepted())
    expect(await fake.status(buildInput('status'))).toMatchObject({ status: 'approved' })
  })

  test('that is unknown is resolved by a status check', async () => {
    const fake = fakeClient()
    fake.answer('sale', unknown())
    fake.answer('status', accepted({ status: 'declined', errorMessage: 'Expired card' }))
    const result = await fake.sale(input)
    if (result.outcome !== 'unknown') throw new Error(result.outcome)
    expect(await result.resolve()).toMatchObject({ status: 'declined', errorMessage: 'Expired card' })
    await expect(result.resolve()).rejects.toThrow('status was called, and this fake client has no answer left')
  })

  test('that does not fit its model is not sent, and uses no answer', async () => {
    const fake = fakeClient()
    fake.answer('sale', accepted())
    expect(await fake.sale({ ...input, amount: '0' })).toMatchObject({
      outcome: 'notSent',
      error: { code: 'INVALID_INPUT' },
    })
    expect(fake.calls).toEqual([])
    expect(() => fake.verify()).toThrow(UnusedScriptError)
  })

  test('that begins after it was aborted or the client closed is not sent, and uses no answer', async () => {
    const fake = fakeClient()
    fake.always('sale', accepted())
    fake.always('status', accepted())
    const signal = AbortSignal.abort()
    const notSentYet = { outcome: 'notSent', error: { code: 'NOT_SENT', retry: 'safe' } }
    expect(await fake.sale(input, { signal })).toMatchObject(notSentYet)
    await expect(fake.status(buildInput('status'), { signal })).rejects.toMatchObject({ code: 'NOT_SENT' })
    await fake.close()
    expect(await fake.sale(input)).toMatchObject(notSentYet)
    await expect(fake.status(buildInput('status'))).rejects.toMatchObject({ code: 'NOT_SENT' })
    expect(fake.calls).toEqual([])
  })

  test('may be answered by a function of its request, and by a standing answer', async () => {
    const fake = fakeClient()
    fake.always('sale', ({ amount }) =>
      amount === '7.00' ? rejected() : accepted({ orderId: amount.replace('.', '') }),
    )
    expect(await fake.sale(input)).toMatchObject({ outcome: 'rejected' })
    expect(await fake.sale(saleInput({ amount: '8.00' }))).toMatchObject({ reply: { orderId: '800' } })
    fake.answer('sale', notSent())
    expect(await fake.sale(input)).toMatchObject({ outcome: 'notSent' })
    expect(await fake.sale(input)).toMatchObject({ outcome: 'rejected' })
  })

  test('may also be signed with RSA', async () => {
    const fake = fakeClient()
    fake.answer('payoutCheck', accepted({ orderId: '77' }))
    fake.answer('status', accepted({ status: 'processing', orderStage: 'payout_checked', orderId: '77' }))
    fake.answer('payoutPay', accepted())
    const steps = await payoutInSteps(fake, buildInput('payoutCheck'), {
      confirm: ({ reply }) => reply.status === 'processing',
    })
    expect(steps).toMatchObject({ stage: 'pay', result: { outcome: 'accepted', reply: { orderId: '77' } } })
    expect(fake.calls.map(({ operation }) => operation)).toEqual(['payoutCheck', 'status', 'payoutPay'])
  })
})

describe('a read', () => {
  test.each([
    ['REJECTED', rejected()],
    ['AUTH_REJECTED', signatureRefused()],
    ['GATEWAY_ERROR', gatewayFailed()],
    ['NO_REPLY', unknown()],
    ['NOT_SENT', notSent()],
  ] as const)('throws %s', async (code, answer) => {
    const fake = fakeClient()
    fake.answer('getCardInfo', answer)
    await expect(fake.getCardInfo(buildInput('getCardInfo'))).rejects.toMatchObject({ code })
    fake.verify()
  })

  test('of the status is about the order in the request', async () => {
    const fake = fakeClient()
    fake.answer('status', accepted({ amount: '3.00' }))
    expect(await fake.status({ clientOrderId: 'a-1-z', orderId: '5' })).toMatchObject({
      status: 'approved',
      amount: '3.00',
      clientOrderId: 'a-1-z',
      orderId: '5',
    })
  })
})

describe('waiting', () => {
  const order = { clientOrderId: 'a-1-z' }

  test('needs no time', async () => {
    const fake = fakeClient()
    fake.answer('status', accepted({ status: 'processing' }), unknown(), accepted({ status: 'approved' }))
    expect(await fake.waitForOutcome(order)).toMatchObject({ outcome: 'approved', clientOrderId: 'a-1-z' })
    expect(fake.callsOf('status')).toHaveLength(3)
  })

  test('ends undecided at its deadline', async () => {
    const fake = fakeClient()
    fake.always('status', accepted({ status: 'processing' }))
    expect(await fake.waitForOutcome(order, { deadlineMs: 10_000 })).toMatchObject({ outcome: 'undecided' })
  })

  test('ends at once if an answer is missing', async () => {
    const fake = fakeClient()
    fake.answer('status', accepted({ status: 'processing' }))
    await expect(fake.waitForOutcome(order)).rejects.toThrow(MissingAnswerError)
    await expect(fake.threeDs.next(order, { returnUrl: 'https://shop.example.com/3ds' })).rejects.toThrow(
      MissingAnswerError,
    )
  })

  test('yields each status check', async () => {
    const fake = fakeClient()
    fake.answer('status', accepted({ status: 'processing' }), accepted({ status: 'filtered' }))
    const seen: Array<string | undefined> = []
    for await (const { reply } of fake.watchOutcome(order)) seen.push(reply?.status)
    expect(seen).toEqual(['processing', 'filtered'])
    const watching = fake.watchOutcome(order)
    await expect(watching.next()).rejects.toThrow(MissingAnswerError)
  })

  test('for the customer in 3DS shows the step in the status', async () => {
    const fake = fakeClient()
    const reply = {
      status: 'processing',
      tdsStatus: 'CReqForm',
      creqFormAcsUrl: 'https://acs.example.com/',
      creqFormCreq: 'eyJ0',
    }
    fake.answer('status', accepted(reply))
    const step = await fake.threeDs.next(order, { returnUrl: 'https://shop.example.com/3ds' })
    expect(step).toMatchObject({ step: 'challenge', page: { status: 200 } })
  })
})

describe('the check of the credentials', () => {
  test('is answered by the status that it requests', async () => {
    const fake = fakeClient()
    fake.answer('status', rejected({ errorMessage: 'Order not found' }), signatureRefused())
    expect(await fake.checkCredentials()).toEqual({ credentials: 'right' })
    expect(await fake.checkCredentials()).toMatchObject({ credentials: 'wrong', error: { code: 'AUTH_REJECTED' } })
  })

  test('gives no verdict if an answer is missing', async () => {
    await expect(fakeClient().checkCredentials()).rejects.toThrow(MissingAnswerError)
  })
})

test('callbacks are signed with the key of the fake client', async () => {
  const fake = fakeClient()
  const outcomes: PaymentOutcome[] = []
  const handle = createCallbackHandler({
    client: fake,
    onOutcome: (outcome) => void outcomes.push(outcome),
    onNotice: 'ignore',
  })
  const callback = { status: 'approved', orderId: '5', clientOrderId: 'a-1-z' }
  const forged = await handle({ method: 'GET', query: signedCallback(callback, 'another key') })
  fake.answer('status', accepted({ amount: '3.00' }))
  const genuine = await handle({ method: 'GET', query: signedCallback(callback, fake.controlKey) })
  expect([forged.status, genuine.status]).toEqual([403, 200])
  expect(outcomes).toMatchObject([{ status: 'approved', reply: { amount: '3.00' } }])
})

test('recorded calls print no card number', async () => {
  const fake = fakeClient()
  fake.answer('sale', accepted())
  await fake.sale(saleInput())
  expect(JSON.stringify(fake.calls)).not.toContain('4444555566661111')
  expect(fake.callsOf('sale')[0]?.cardNumber?.reveal()).toBe('4444555566661111')
})

describe('at the end of a test', () => {
  beforeEach(() => {
    try {
      verifyScripts()
    } catch {
      // Leftovers of other tests are ignored.
    }
  })

  test('every answer that was not used is named', () => {
    const fake = fakeClient()
    fake.answer('sale', accepted(), notSent())
    fake.always('status', () => accepted())
    expect(() => fake.verify()).toThrow(
      [
        'What this test scripted and what was called differ:',
        "  fakeClient: answer('sale', accepted()) was not used",
        "  fakeClient: answer('sale', notSent()) was not used",
        "  fakeClient: always('status', a function) was not used",
        'Remove what is not needed, or find out why the code does not call it.',
      ].join('\n'),
    )
  })

  test.each([
    ['an answer', (fake: FakeClient) => fake.answer('sale', accepted()), "answer('sale', accepted()) was not used"],
    ['a standing answer', (fake: FakeClient) => fake.always('sale', accepted()), "always('sale', accepted())"],
  ])('%s of any client that was not used is reported', (_what, script, message) => {
    script(fakeClient())
    expect(() => verifyScripts()).toThrow(message)
    expect(() => verifyScripts()).not.toThrow()
  })

  test('neither a used standing answer is reported, nor what a client itself has reported', async () => {
    const fake = fakeClient()
    fake.always('sale', accepted())
    await fake.sale(saleInput())
    fake.verify()
    fake.answer('void', rejected())
    expect(() => fake.verify()).toThrow("answer('void', rejected())")
    expect(() => verifyScripts()).not.toThrow()
  })

  test('a missing answer is reported even if the code has swallowed the error', async () => {
    const fake = fakeClient()
    await fake.sale(saleInput()).catch(() => undefined)
    expect(() => verifyScripts()).toThrow('fakeClient: sale was called without an answer')
    expect(() => verifyScripts()).not.toThrow()
  })

  test('a client that is declared with `using` is verified', () => {
    const fake = fakeClient()
    fake.answer('void', rejected())
    expect(() => fake[Symbol.dispose]()).toThrow("answer('void', rejected())")
  })
})
