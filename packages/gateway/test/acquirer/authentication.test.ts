import { deflateSync } from 'node:zlib'
import { Cvv, Pan } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { simulator } from '../../src/acquirer/simulator.ts'
import type { AuthenticationStep } from '../../src/orders/order.ts'

/** The result of a step, for a sale with this CVV that began with that step. */
async function afterStep(step: AuthenticationStep, value: string, cvv = '321') {
  const card = { pan: new Pan('4444333322221111'), expireMonth: '12', expireYear: '2031', cvv: new Cvv(cvv) }
  const prepared = await simulator({ authentication: step }).prepare({ card })
  const sale = { kind: 'sale', orderId: '123456789012345', amount: 1042n, currency: 'EUR', prepared } as const
  return simulator().authenticate({ ...sale, reference: '123456789012345-1' }, { step, value })
}

const APPROVED = { status: 'approved', approvalCode: '012345', processorTxId: 'PNTEST-123456789012345' }
const DECLINED = {
  status: 'declined',
  errorCode: '122',
  errorMessage: 'Security violation: the customer was not authenticated',
}

/** `???>` is what base64 and base64url spell differently. */
const cRes = (transStatus: unknown) =>
  JSON.stringify({ messageType: 'CRes', messageVersion: '2.1.0', threeDSServerTransID: '???>???>', transStatus })

const paRes = (status: string) =>
  `<?xml version="1.0"?><ThreeDSecure><Message id="1"><PARes id="2"><TX><status>${status}</status></TX></PARes></Message></ThreeDSecure>`

describe.for(['base64', 'base64url'] as const)('a CRes in %s', (encoding) => {
  const upload = (text: string) => afterStep('challenge', Buffer.from(text).toString(encoding))

  test.for(['Y', 'A'])('with transStatus %s approves', async (status) => {
    expect(await upload(cRes(status))).toEqual(APPROVED)
  })

  test.for(['N', 'U', 'R', 'C', 'y', '', true, null, ['Y']] as const)(
    'with transStatus %s declines',
    async (status) => {
      expect(await upload(cRes(status))).toEqual(DECLINED)
    },
  )

  test.for([
    '',
    'Y',
    '"Y"',
    'null',
    '{}',
    '{"messageType":"CRes","messageVersion":"2.1.0"}',
    '{"status":"Y"}',
    '{"transStatus":"Y"',
    '<status>Y</status>',
  ])('that is none declines: %s', async (text) => expect(await upload(text)).toEqual(DECLINED))
})

describe.for([
  ['deflated', (text: string) => deflateSync(text)],
  ['plain', (text: string) => Buffer.from(text)],
] as const)('a PaRes, %s', ([, pack]) => {
  const upload = (text: string) => afterStep('pareq', pack(text).toString('base64'))

  test.for(['Y', 'A', ' Y\n'])('with status "%s" approves', async (status) => {
    expect(await upload(paRes(status))).toEqual(APPROVED)
  })

  test.for(['N', 'U', 'y', 'YN', ''])('with status "%s" declines', async (status) => {
    expect(await upload(paRes(status))).toEqual(DECLINED)
  })

  test.for(['', 'Y', cRes('Y')])('that is none declines: %s', async (text) => {
    expect(await upload(text)).toEqual(DECLINED)
  })
})

test('a PaRes in lines of 76 characters is read', async () => {
  const lines = deflateSync(paRes('Y')).toString('base64').replace(/.{76}/g, '$&\r\n')
  expect(await afterStep('pareq', lines)).toEqual(APPROVED)
})

test('a PaRes that inflates without end declines', async () => {
  const bomb = deflateSync(paRes('Y') + ' '.repeat(5_000_000)).toString('base64')
  expect(bomb.length).toBeLessThan(10_240)
  expect(await afterStep('pareq', bomb)).toEqual(DECLINED)
})

test.for(['Y', 'N', 'U'])('a method step that went %s leads to a challenge', async (value) => {
  expect(await afterStep('method', value)).toEqual({ status: 'processing', awaits: 'challenge' })
})

test.for([
  ['116', { status: 'declined', errorCode: '116' }],
  ['217', { status: 'unknown' }],
  ['123', { status: 'approved' }],
] as const)('authentication does not change what a card with CVV %s gets', async ([cvv, outcome]) => {
  for (const status of ['Y', 'N']) {
    expect(await afterStep('challenge', Buffer.from(cRes(status)).toString('base64'), cvv)).toMatchObject(outcome)
  }
})
