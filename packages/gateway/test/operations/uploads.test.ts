import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { SimulatedResult } from '../../src/acquirer/simulated-messages.ts'
import type { SimulatedAuthentication } from '../../src/acquirer/simulator.ts'
import { simulator } from '../../src/index.ts'
import { APPROVED, deciding, undecided } from '../support/acquirers.ts'
import { desk, refusal } from '../support/desk.ts'
import { issuer } from '../support/issuer.ts'
import { committing } from '../support/stores.ts'
import { FAILED, SOLD, uploading, VALIDATING } from '../support/three-ds.ts'

/** A desk whose 3DS begins with this step, with its uploads and its issuer. */
function deskOf(authentication: SimulatedAuthentication) {
  const made = desk({ acquirer: simulator({ authentication }) })
  return { ...made, ...issuer(made.store), upload: uploading(made.ask) }
}

type Tampering = readonly [how: string, verdict: SimulatedResult, tampered: (paRes: string) => string]

const swapped = (letter: string) => (letter === 'A' ? 'B' : 'A')

const NOT_AWAITED = '9: Refused by rule awaited-step: the order does not wait for the result of this 3DS step.'

describe('an upload of the result of a 3DS step', () => {
  test.for([
    ['authenticated', SOLD],
    ['failed', FAILED],
    ['cancelled', FAILED],
  ] as const)(
    '[S1-12] [S4-10] [S4-13] the CRes of a customer who %s decides a sale that waits for its challenge',
    async ([verdict, shown]) => {
      const { sale, upload, shown: show, cRes } = deskOf('challenge')
      const ids = await sale({ cvv2: '321' })
      expect(await show(ids)).toEqual(VALIDATING)
      expect(await upload('cres', ids, { cRes: await cRes(ids.orderid, verdict) })).toMatchObject({
        type: 'async-response',
        'paynet-order-id': ids.orderid,
        'merchant-order-id': ids.client_orderid,
      })
      expect(await show(ids)).toEqual(shown)
    },
  )

  test.for([
    ['authenticated', SOLD],
    ['failed', FAILED],
    ['cancelled', FAILED],
  ] as const)(
    '[S1-12] [S4-12] [S4-16] the PaRes of a customer who %s decides a sale that waits for it',
    async ([verdict, shown]) => {
      const { sale, upload, shown: show, paRes } = deskOf('pareq')
      const ids = await sale({ cvv2: '321' })
      await upload('pares', ids, { paRes: await paRes(ids.orderid, verdict), md: 'BB4A51' })
      expect(await show(ids)).toEqual(shown)
    },
  )

  test('[S4-11] [S4-14] the method step goes on to the challenge, whatever its result', async () => {
    for (const threeDSCompInd of ['Y', 'N', 'U']) {
      const { sale, upload, shown, cRes } = deskOf('method')
      const ids = await sale({ cvv2: '321' })
      await upload('method-url', ids, { threeDSCompInd })
      expect(await shown(ids)).toEqual(VALIDATING)
      await upload('cres', ids, { cRes: await cRes(ids.orderid) })
      expect(await shown(ids)).toEqual(SOLD)
    }
  })

  test('[S4-13] a preauth goes through the same steps, and is held afterwards', async () => {
    const { preauth, upload, shown, cRes } = deskOf('challenge')
    const ids = await preauth({ cvv2: '321' })
    await upload('cres', ids, { cRes: await cRes(ids.orderid) })
    expect(await shown(ids)).toEqual(['approved', 'preauth', 'auth_approved', '10.42', '10.42'])
  })

  test('is refused for another step, for an order that waits for none, or a second time', async () => {
    const { sale, upload, cRes, paRes } = deskOf('challenge')
    const waiting = await sale({ cvv2: '321' })
    expect(refusal(await upload('pares', waiting, { paRes: await paRes(waiting.orderid) }))).toBe(NOT_AWAITED)
    expect(refusal(await upload('method-url', waiting, { threeDSCompInd: 'Y' }))).toBe(NOT_AWAITED)
    const fields = { cRes: await cRes(waiting.orderid) }
    expect(refusal(await upload('cres', await sale(), fields))).toBe(NOT_AWAITED)
    await upload('cres', waiting, fields)
    expect(refusal(await upload('cres', waiting, fields))).toBe(NOT_AWAITED)
    const nobody = { ...waiting, orderid: '123456789012345' }
    expect(refusal(await upload('cres', nobody, fields))).toMatch(/^2: /)
  })

  test('sent twice at once goes on once', async () => {
    const { execute: authenticate, decide } = undecided()
    const made = desk({ acquirer: deciding({ authenticate }) })
    const ids = await made.sale({ cvv2: '321' })
    const fields = { 'client-order-id': ids.client_orderid, orderid: ids.orderid, cRes: 'e30' }
    const uploads = [1, 2].map(() => made.gateway.handle(made.request('/api/3ds/v1/upload-cres-result', fields)))
    const replies = await Promise.all(uploads)
    expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
    decide(APPROVED)
    await made.gateway.settled()
    expect(await made.shown(ids)).toEqual(SOLD)
  })
})

describe('a PaRes that was tampered with', () => {
  const rewritten = (from: string, to: string) => (paRes: string) => {
    const xml = inflateSync(Buffer.from(paRes, 'base64')).toString()
    expect(xml).toContain(from)
    return deflateSync(xml.replace(from, to)).toString('base64')
  }
  const saysYes = rewritten('<status>N</status><eci>07</eci>', '<status>Y</status><eci>05</eci>')

  test.for([
    ['to say yes for a customer who failed', 'failed', saysYes],
    ['to say yes for a customer who cancelled', 'cancelled', saysYes],
    ['in its mark', 'authenticated', rewritten('<SignatureValue>', '<SignatureValue>A')],
    ['in its xid', 'authenticated', rewritten('<xid>', '<xid>A')],
    ['in a letter of its base64', 'authenticated', (text) => text.replace(/(?<=^.{99})./, swapped)],
    ['by its end', 'authenticated', (text) => text.slice(0, -8)],
  ] as const satisfies readonly Tampering[])(
    '[S4-12] [S4-16] %s declines the sale, and the right one comes too late',
    async ([, verdict, tampered]) => {
      const { sale, upload, shown, told, paRes } = deskOf('pareq')
      const ids = await sale({ cvv2: '321' })
      const answer = await upload('pares', ids, { paRes: tampered(await paRes(ids.orderid, verdict)), md: 'BB4A51' })
      expect(answer).toMatchObject({ type: 'async-response' })
      expect(await shown(ids)).toEqual(FAILED)
      expect(await told(ids)).toMatchObject({ 'error-code': '122' })
      expect(refusal(await upload('pares', ids, { paRes: await paRes(ids.orderid) }))).toBe(NOT_AWAITED)
      expect(await shown(ids)).toEqual(FAILED)
    },
  )

  test('[S4-12] [S4-16] that names another order declines the one that it was uploaded for', async () => {
    const { sale, upload, shown, paRes } = deskOf('pareq')
    const [mine, other] = [await sale({ cvv2: '321' }), await sale({ cvv2: '321' })]
    await upload('pares', mine, { paRes: await paRes(other.orderid) })
    expect([await shown(mine), await shown(other)]).toEqual([FAILED, VALIDATING])
  })
})

test('an upload for an order that changed meanwhile is decided again', async () => {
  let races = 0
  const store = committing(async ({ order }, commit) => {
    const isUpload = order?.basedOn === 2 && order.order.operations[0]?.status === 'processing'
    return isUpload && races++ === 0 ? { ok: false, conflict: 'order' } : await commit()
  })
  const { sale, ask, shown } = desk({ store })
  const ids = await sale({ cvv2: '321' })
  await uploading(ask)('cres', ids, { cRes: await issuer(store).cRes(ids.orderid) })
  expect(races).toBe(2)
  expect(await shown(ids)).toEqual(SOLD)
})

describe('an upload whose answer was lost', () => {
  test('leaves the order unknown when the acquirer fails, and it is looked up', async () => {
    const authenticate = () => Promise.reject(new Error('the line is down'))
    const acquirer = deciding({ authenticate, lookup: async () => APPROVED })
    const { clock, sale, ask, shown } = desk({ acquirer })
    const ids = await sale({ cvv2: '321' })
    await uploading(ask)('cres', ids, { cRes: 'e30' })
    expect((await shown(ids))[0]).toBe('unknown')
    await clock.advance('1m')
    expect(await shown(ids)).toEqual(SOLD)
  })

  test('is looked up 15 minutes after the upload when no answer comes at all, however long the customer took', async () => {
    const { execute: authenticate, decide } = undecided()
    const asked: number[] = []
    const lookup = async () => {
      asked.push(clock.now())
      return APPROVED
    }
    const { clock, gateway, sale, request, shown } = desk({ acquirer: deciding({ authenticate, lookup }) })
    const ids = await sale({ cvv2: '321' })
    await clock.advance('10m')
    const uploadedAt = clock.now()
    const fields = { 'client-order-id': ids.client_orderid, orderid: ids.orderid, cRes: 'e30' }
    await gateway.handle(request('/api/3ds/v1/upload-cres-result', fields))
    await clock.advance(15 * 60_000 - 1)
    expect(asked).toEqual([])
    await clock.advance(1)
    expect(asked).toEqual([uploadedAt + 15 * 60_000])
    decide(APPROVED)
    await gateway.settled()
    expect(await shown(ids)).toEqual(SOLD)
    expect(asked).toHaveLength(1)
  })
})
