import { deflateSync, inflateSync } from 'node:zlib'
import { Cvv, Pan } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import type { Decision, OperationRequest } from '../../src/acquirer/acquirer.ts'
import { cresOf, paResOf, type SimulatedResult, simulatedTransaction } from '../../src/acquirer/simulated-messages.ts'
import { type SimulatedAuthentication, simulator } from '../../src/acquirer/simulator.ts'
import type { AuthenticationStep } from '../../src/orders/order.ts'
import { ORIGIN, tokenFrom } from '../support/acquirers.ts'

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

interface Begun {
  readonly instruction: OperationRequest
  /** The first decision. */
  readonly first: Decision
  /** Each call goes to another simulator, since a simulator remembers nothing. */
  readonly after: (step: AuthenticationStep, value: string) => Promise<Decision>
  readonly cRes: (verdict?: SimulatedResult) => string
  readonly paRes: (verdict?: SimulatedResult) => string
}

interface Begin {
  readonly authentication?: SimulatedAuthentication
  readonly pan?: string
  readonly cvv?: string
}

/** A sale with this authentication, up to its first step. */
async function begin({ authentication, pan = '4444333322221111', cvv = '321' }: Begin): Promise<Begun> {
  const card = { pan: new Pan(pan), expireMonth: '12', expireYear: '2031', cvv: new Cvv(cvv) }
  const { reference: token } = await tokenFrom(simulator(authentication && { authentication }), { card })
  const instruction = { ...SALE, token }
  const transaction = simulatedTransaction(token, SALE.reference)
  return {
    instruction,
    first: await simulator().execute(instruction),
    after: (step, value) => simulator().authenticate(instruction, { step, value }),
    cRes: (verdict = 'authenticated') => cresOf(transaction, verdict),
    paRes: (verdict = 'authenticated') => paResOf(transaction, verdict),
  }
}

const APPROVED = { status: 'approved', approvalCode: '012345', processorTxId: 'PNTEST-123456789012345' }
const AUTHENTICATED = { ...APPROVED, verified3dStatus: 'AUTHENTICATED' }
const DECLINED = {
  status: 'declined',
  errorCode: '122',
  errorMessage: 'Security violation: the customer was not authenticated',
}
const CANCELLED = { ...DECLINED, errorMessage: 'Security violation: the customer cancelled the authentication' }

const waiting = (step: AuthenticationStep) => ({ status: 'processing', awaits: { step } })

describe('how a payment is authenticated', () => {
  test.for([
    ['4444444400000010', 'challenge'],
    ['4444444400000028', 'method'],
    ['4444444400000036', 'method'],
    ['4444444400000044', 'method'],
    ['4444444400000051', 'pareq'],
  ] as const)('[G10-02] card %s begins with the step %s, whatever the simulator was told', async ([pan, step]) => {
    for (const authentication of [undefined, 'challenge', 'method', 'pareq'] as const) {
      const { first } = await begin(authentication === undefined ? { pan } : { pan, authentication })
      expect(first).toMatchObject(waiting(step))
    }
  })

  test.for(['4444444400000010', '4444444400000028', '4444444400000036', '4444444400000044', '4444444400000051'])(
    'card %s is like any other with another CVV',
    async (pan) => {
      expect((await begin({ pan, cvv: '123' })).first).toEqual(APPROVED)
      expect((await begin({ pan, cvv: '116' })).first).toMatchObject({ status: 'declined', errorCode: '116' })
    },
  )

  test('says beforehand whether the customer will have to authenticate', async () => {
    const saidFor = async (cvv: string) => {
      const card = { pan: new Pan('4444333322221111'), expireMonth: '12', expireYear: '2031', cvv: new Cvv(cvv) }
      return (await tokenFrom(simulator(), { card })).authenticates
    }
    expect(await Promise.all(['321', '123', '111', '217', '116'].map(saidFor))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })

  test('the issuer has a method URL, or none', async () => {
    expect((await begin({ authentication: 'method' })).first).toMatchObject({
      awaits: { methodUrl: 'https://gate.example.com/paynet/acs/method/token' },
    })
    expect((await begin({ authentication: 'no-method-url' })).first).not.toHaveProperty('awaits.methodUrl')
  })

  test.for(['Y', 'N', 'U'])('a method step that went %s leads to a challenge, or to nothing more', async (value) => {
    for (const authentication of ['method', 'no-method-url'] as const) {
      const { after } = await begin({ authentication })
      expect(await after('method', value)).toMatchObject(waiting('challenge'))
    }
    const { after } = await begin({ authentication: 'method-frictionless' })
    expect(await after('method', value)).toEqual(AUTHENTICATED)
  })

  test.for([
    ['116', { status: 'declined', errorCode: '116' }],
    ['217', { status: 'unknown' }],
    ['123', { status: 'approved' }],
  ] as const)('does not change what a card with CVV %s gets', async ([cvv, outcome]) => {
    const { after, cRes } = await begin({ cvv })
    for (const verdict of ['authenticated', 'failed'] as const) {
      expect(await after('challenge', cRes(verdict))).toMatchObject(outcome)
    }
  })
})

describe('a CRes', () => {
  test.for([
    ['authenticated', AUTHENTICATED],
    ['failed', DECLINED],
    ['cancelled', CANCELLED],
  ] as const)('of a customer who %s decides', async ([verdict, decision]) => {
    const { after, cRes } = await begin({})
    expect(await after('challenge', cRes(verdict))).toEqual(decision)
  })

  test('is taken in base64 as in base64url, with and without padding', async () => {
    const { after, cRes } = await begin({})
    const bytes = Buffer.from(cRes(), 'base64url')
    for (const text of [bytes.toString('base64'), bytes.toString('base64').replace(/=*$/, ''), `${cRes()}==`]) {
      expect(await after('challenge', text)).toEqual(AUTHENTICATED)
    }
  })

  test('is an EMV message, with the ids of the CReq', async () => {
    const { first, cRes } = await begin({})
    const awaits = first.status === 'processing' && first.awaits.step === 'challenge' ? first.awaits : undefined
    const uuid = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
    const creq = json(awaits?.creq ?? '')
    expect(creq).toEqual({
      threeDSServerTransID: uuid,
      acsTransID: uuid,
      messageType: 'CReq',
      messageVersion: '2.2.0',
      challengeWindowSize: '05',
    })
    expect(json(cRes())).toMatchObject({
      threeDSServerTransID: creq['threeDSServerTransID'],
      acsTransID: creq['acsTransID'],
      messageType: 'CRes',
      challengeCompletionInd: 'Y',
      transStatus: 'Y',
    })
    expect(json(cRes('failed'))).toMatchObject({ transStatus: 'N' })
    expect(json(cRes('cancelled'))).toMatchObject({ transStatus: 'N', challengeCancel: '01' })
  })

  test.for([
    'threeDSServerTransID',
    'acsTransID',
    'messageType',
    'messageVersion',
    'challengeCompletionInd',
    'transStatus',
    'messageExtension',
  ])('in which %s was changed or left out declines', async (name) => {
    const { after, cRes } = await begin({})
    const told = json(cRes())
    const changes = [flipped(told[name]), undefined, null, ['Y']]
    for (const change of changes) {
      expect(await after('challenge', base64({ ...told, [name]: change }))).toEqual(DECLINED)
    }
  })

  test('of a customer who failed, changed to say otherwise, declines', async () => {
    const { after, cRes } = await begin({})
    for (const verdict of ['failed', 'cancelled'] as const) {
      expect(await after('challenge', base64({ ...json(cRes(verdict)), transStatus: 'Y' }))).toEqual(DECLINED)
      const { challengeCancel: _, ...rest } = json(cRes(verdict))
      expect(await after('challenge', base64({ ...rest, transStatus: 'Y' }))).toEqual(DECLINED)
    }
    const mark = json(cRes('failed'))['messageExtension']
    expect(await after('challenge', base64({ ...json(cRes()), messageExtension: mark }))).toEqual(DECLINED)
  })

  test('of another order, or of another operation, declines', async () => {
    const { after, instruction } = await begin({})
    expect(await after('challenge', (await begin({})).cRes())).toEqual(DECLINED)
    const other = simulatedTransaction(instruction.token, '123456789012345-2')
    expect(await after('challenge', cresOf(other, 'authenticated'))).toEqual(DECLINED)
  })

  test('with any bit changed declines', async () => {
    const { after, cRes } = await begin({})
    const bytes = Buffer.from(cRes(), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 5) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(await after('challenge', changed.toString('base64url'))).toEqual(DECLINED)
    }
  })

  test.for(['', 'Y', 'e30', base64({ messageType: 'CRes', transStatus: 'Y' })])(
    'that the issuer has not written declines: "%s"',
    async (text) => expect(await (await begin({})).after('challenge', text)).toEqual(DECLINED),
  )
})

describe('a PaRes', () => {
  test.for([
    ['authenticated', AUTHENTICATED],
    ['failed', DECLINED],
    ['cancelled', CANCELLED],
  ] as const)('of a customer who %s decides', async ([verdict, decision]) => {
    const { after, paRes } = await begin({ authentication: 'pareq' })
    expect(await after('pareq', paRes(verdict))).toEqual(decision)
  })

  test('is read deflated or plain, and in lines of 76 characters', async () => {
    const { after, paRes } = await begin({ authentication: 'pareq' })
    expect(await after('pareq', Buffer.from(xml(paRes())).toString('base64'))).toEqual(AUTHENTICATED)
    expect(await after('pareq', paRes().replace(/.{76}/g, '$&\r\n'))).toEqual(AUTHENTICATED)
  })

  test('has the id of the PaReq, which has the amount', async () => {
    const { first, paRes } = await begin({ authentication: 'pareq' })
    const paReq = first.status === 'processing' && first.awaits.step === 'pareq' ? first.awaits.paReq : ''
    const xid = /<xid>([\w+/]{27}=)<\/xid>/.exec(xml(paReq))?.[1]
    expect(xml(paReq)).toContain('<version>1.0.2</version>')
    expect(xml(paReq)).toContain('<purchAmount>1042</purchAmount>')
    expect(xml(paRes())).toContain(`<xid>${xid}</xid>`)
    expect(xml(paRes())).toContain('<status>Y</status><eci>05</eci>')
  })

  test.for([
    ['<status>Y</status>', '<status>A</status>'],
    ['<eci>05</eci>', '<eci>06</eci>'],
    ['<xid>', '<xid>A'],
    ['<PARes id="', '<PARes id="0'],
    ['<Message id="', '<Message id="0'],
    ['1.0.2', '1.0.1'],
    ['<SignatureValue>', '<SignatureValue>A'],
    ['</ThreeDSecure>', '</ThreeDSecure> '],
  ] as const)('in which %s was changed declines', async ([from, to]) => {
    const { after, paRes } = await begin({ authentication: 'pareq' })
    const changed = xml(paRes()).replace(from, to)
    expect(changed).not.toBe(xml(paRes()))
    expect(await after('pareq', deflateSync(changed).toString('base64'))).toEqual(DECLINED)
  })

  test('of a customer who failed, changed to say otherwise, declines', async () => {
    const { after, paRes } = await begin({ authentication: 'pareq' })
    const changed = xml(paRes('failed')).replace('<status>N</status><eci>07</eci>', '<status>Y</status><eci>05</eci>')
    expect(await after('pareq', deflateSync(changed).toString('base64'))).toEqual(DECLINED)
  })

  test.for(['', 'Y', Buffer.from('<status>Y</status>').toString('base64')])(
    'that the issuer has not written declines: "%s"',
    async (text) => expect(await (await begin({ authentication: 'pareq' })).after('pareq', text)).toEqual(DECLINED),
  )

  test('made to inflate without end declines', async () => {
    const { after, paRes } = await begin({ authentication: 'pareq' })
    const bomb = deflateSync(xml(paRes()) + ' '.repeat(5_000_000)).toString('base64')
    expect(bomb.length).toBeLessThan(10_240)
    expect(await after('pareq', bomb)).toEqual(DECLINED)
  })
})

function json(text: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
}

function base64(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64')
}

function xml(text: string): string {
  return inflateSync(Buffer.from(text, 'base64')).toString()
}

/** The same value with another last letter or digit. */
function flipped(value: unknown): unknown {
  const last = /[\dA-Za-z](?=[^\dA-Za-z]*$)/
  return JSON.parse(JSON.stringify(value).replace(last, (letter) => (letter === 'a' ? 'b' : 'a')))
}
