import { inspect } from 'node:util'
import { Cvv, type OperationKind, Pan } from '@tallystick/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AcquirerCard, OperationRequest, PaymentMethod } from '../../src/acquirer/acquirer.ts'
import { simulator } from '../../src/acquirer/simulator.ts'
import { ORIGIN, tokenFrom } from '../support/acquirers.ts'

const PAN = '4444333322221111'

function cardWith(cvv?: string): { card: AcquirerCard } {
  const pan = new Pan(PAN)
  return { card: { pan, expireMonth: '12', expireYear: '2031', cvv: cvv === undefined ? undefined : new Cvv(cvv) } }
}

const SALE = {
  reference: '123456789012345-1',
  kind: 'sale',
  orderId: '123456789012345',
  amount: 1042n,
  currency: 'EUR',
  decimals: 2,
  ...ORIGIN,
  history: [],
  browser: { baseUrl: 'https://gate.example.com/paynet', pageToken: 'token' },
} as const

async function instructionFor(instrument: PaymentMethod, changes: Partial<OperationRequest> = {}) {
  const { reference } = await tokenFrom(simulator(), instrument)
  return { ...SALE, token: reference, ...changes }
}

/** Each call goes to another simulator, since a simulator remembers nothing. */
async function decisionFor(instrument: PaymentMethod, changes?: Partial<OperationRequest>) {
  const instruction = await instructionFor(instrument, changes)
  const decision = await simulator().execute(instruction)
  expect(await simulator().lookup(instruction)).toEqual(decision)
  return decision
}

const APPROVED = { status: 'approved', approvalCode: '012345', processorTxId: 'PNTEST-123456789012345' }

const KINDS = {
  sale: 'opens',
  preauth: 'opens',
  'account-verification': 'opens',
  payout: 'opens',
  'payout-check': 'opens',
  transfer: 'opens',
  capture: 'follows',
  cancel: 'follows',
  reversal: 'follows',
  chargeback: 'follows',
  'payout-pay': 'follows',
} as const satisfies Record<OperationKind, 'opens' | 'follows'>

function kindsThat(what: 'opens' | 'follows'): OperationKind[] {
  return (Object.keys(KINDS) as OperationKind[]).filter((kind) => KINDS[kind] === what)
}

describe.for(kindsThat('opens'))('a card that is charged or paid first by %s', (kind) => {
  test.for(['123', '1234', '111'])('[G10-01] [G10-06] is approved with CVV %s', async (cvv) => {
    expect(await decisionFor(cardWith(cvv), { kind })).toEqual(APPROVED)
  })

  test('[G13-16] is approved without a CVV', async () => {
    expect(await decisionFor(cardWith(), { kind })).toEqual(APPROVED)
  })

  test('[G10-04] is unknown with CVV 217', async () => {
    expect(await decisionFor(cardWith('217'), { kind })).toEqual({ status: 'unknown' })
  })

  test.for([
    ['101', 'Expired card'],
    ['116', 'Not sufficient funds'],
    ['119', 'Transaction not permitted to cardholder'],
    ['209', 'Pick up card, stolen'],
  ] as const)('[G10-05] is declined with CVV %s: %s', async ([cvv, errorMessage]) => {
    expect(await decisionFor(cardWith(cvv), { kind })).toEqual({ status: 'declined', errorCode: cvv, errorMessage })
  })

  test('waits for a challenge with CVV 321', async () => {
    expect(await decisionFor(cardWith('321'), { kind })).toEqual({
      status: 'processing',
      awaits: {
        step: 'challenge',
        acsUrl: 'https://gate.example.com/paynet/acs/challenge/token',
        creq: expect.stringMatching(/^[\w-]+$/),
        threeDsSessionData: expect.stringMatching(/^[\w-]{22}$/),
      },
    })
  })

  test('is declined with CVV 321 if there is no browser', async () => {
    expect(await decisionFor(cardWith('321'), { kind, browser: undefined })).toMatchObject({
      status: 'declined',
      errorCode: '122',
    })
  })
})

test('[G10-05] every other CVV is declined', async () => {
  const known = ['123', '1234', '111', '217', '321', '101', '116', '119', '209']
  const all = Array.from({ length: 11_000 }, (_, at) =>
    at < 1000 ? String(at).padStart(3, '0') : String(at - 1000).padStart(4, '0'),
  )
  const others = all.filter((cvv) => !known.includes(cvv))
  expect(others).toHaveLength(10_991)
  const acquirer = simulator()
  const decisions = await Promise.all(
    others.map(async (cvv) =>
      JSON.stringify(await acquirer.execute({ ...SALE, token: (await tokenFrom(acquirer, cardWith(cvv))).reference })),
    ),
  )
  expect([...new Set(decisions)].map((text) => JSON.parse(text))).toEqual([
    { status: 'declined', errorCode: '100', errorMessage: 'Do not honour' },
  ])
})

test.for([
  ['a card', { pan: new Pan(PAN) }],
  ['an account', { accountNumber: '40817810099910004312', routingNumber: '044525225', bankName: 'Bank' }],
  ['a wallet', { wallet: 'W-1', walletType: 'purse' }],
  ['a phone', { phone: '+491701234567' }],
] as const)('[G13-16] a payout to %s is approved', async ([, destination]) => {
  expect(await decisionFor({ destination }, { kind: 'payout' })).toEqual(APPROVED)
})

describe.for(kindsThat('follows'))('%s', (kind) => {
  test.for([undefined, '123', '217', '321'])('is approved on an order whose CVV was %s', async (cvv) => {
    expect(await decisionFor(cardWith(cvv), { kind })).toEqual(APPROVED)
  })
})

describe('a reference that the simulator did not make', () => {
  const foreign = [
    '',
    'simulated-1',
    'simulated-approved',
    'simulated-toString-aaaaaaaaaaaaaaaa',
    'other-approved-aaaaaaaaaaaaaaaa',
  ]
  test.for(foreign)('ends in error: "%s"', async (token) => {
    const wrong = {
      status: 'error',
      errorCode: '914',
      errorMessage: 'Not able to trace back to the original transaction',
    }
    expect(await decisionFor(cardWith(), { token })).toEqual(wrong)
    expect(await decisionFor(cardWith(), { token, kind: 'capture' })).toEqual(wrong)
  })
})

describe('the reference for a card', () => {
  test('is new each time, and names the outcome', async () => {
    const token = await Promise.all(Array.from({ length: 1000 }, () => tokenFrom(simulator(), cardWith('116'))))
    const texts = token.map(({ reference }) => reference)
    expect(new Set(texts).size).toBe(1000)
    expect(texts.filter((text) => !/^simulated-insufficient-funds-[a-p]{32}$/.test(text))).toEqual([])
  })

  test('has no digit, so no part of the card number or the CVV', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(9999), async (cvv) => {
        const { reference } = await tokenFrom(simulator(), cardWith(String(cvv).padStart(3, '0')))
        expect(reference).not.toMatch(/\d/)
      }),
    )
  })

  test('uses the randomness that it is given', async () => {
    const seeded = simulator({ random: (target) => target.set([0x0f, 0xa5]) })
    const reference = `simulated-approved-pf${'a'.repeat(30)}`
    expect(await tokenFrom(seeded, cardWith())).toEqual({ reference, authenticates: false })
  })

  test('leaves the simulator with nothing to print', async () => {
    const acquirer = simulator()
    await tokenFrom(acquirer, cardWith('217'))
    const printed = inspect(acquirer, { showHidden: true, depth: 9 }) + JSON.stringify(acquirer)
    expect(printed).not.toContain('217')
    expect(printed).not.toContain(PAN.slice(0, 6))
  })
})
