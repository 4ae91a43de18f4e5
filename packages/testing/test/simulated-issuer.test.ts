import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  cards,
  passChallenge,
  passPaReq,
  saleInput,
  serverToServer,
  startGateway,
  type TestCard,
  type TestGateway,
} from '../src/index.ts'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.close())

/** A sale that waits for a 3DS step, with its status. */
async function waiting(card: TestCard) {
  const client = gateway.client()
  const sale = saleInput({ ...card, ...serverToServer })
  const result = await client.sale(sale)
  if (result.outcome !== 'accepted') throw new Error(`The sale was not accepted: ${result.outcome}`)
  await gateway.settled()
  const ids = { clientOrderId: sale.clientOrderId, orderId: result.reply.orderId }
  const statusNow = async () => {
    await gateway.settled()
    return await client.status(ids)
  }
  return { client, ids, statusNow, status: await statusNow() }
}

describe('the customer at the simulated issuer', () => {
  test.for([
    ['confirms', 'approved'],
    ['fails', 'declined'],
    ['cancels', 'declined'],
  ] as const)('%s: the uploaded CRes and PaRes are %s', async ([answer, outcome]) => {
    const challenge = await waiting(cards.threeDs)
    const { cRes, to } = await passChallenge(challenge.status, answer)
    expect(to).toBe('https://shop.example.com/return')
    await challenge.client.uploadCresResult({ ...challenge.ids, cRes })
    expect((await challenge.statusNow()).status).toBe(outcome)

    const pareq = await waiting(cards.threeDsPaReq)
    const { paRes, md } = await passPaReq(pareq.status, answer)
    await pareq.client.uploadParesResult({ ...pareq.ids, paRes, md })
    expect((await pareq.statusNow()).status).toBe(outcome)
  })

  test('confirms by default', async () => {
    const { client, ids, status, statusNow } = await waiting(cards.threeDs)
    const { cRes } = await passChallenge(status)
    await client.uploadCresResult({ ...ids, cRes })
    expect((await statusNow()).status).toBe('approved')
  })

  test.for([
    ['threeDsMethod', 'CReqForm'],
    ['threeDsNoMethodUrl', 'CReqForm'],
    ['threeDsFrictionless', undefined],
  ] as const)('comes after the method frame: %s', async ([card, next]) => {
    const { client, ids, status, statusNow } = await waiting(cards[card])
    expect(status.tdsStatus).toBe('MethodUrlFrame')
    await client.uploadMethodUrlResult({ ...ids, methodCompletion: 'Y' })
    expect((await statusNow()).tdsStatus).toBe(next)
  })

  test('needs a status that shows a step; what the issuer refuses is an error', async () => {
    const { status } = await waiting(cards.approved)
    await expect(passChallenge(status)).rejects.toThrow(
      'The status shows no CReqForm: if the payment was sent without the browser fields, spread',
    )
    await expect(passPaReq(status)).rejects.toThrow('The status shows no PaReqForm')
    const challenge = await waiting(cards.threeDs)
    await expect(passChallenge({ ...challenge.status, creqFormCreq: 'e30' })).rejects.toThrow('answered 400')
  })
})

test('the reply to a sale that the gateway leads through 3DS has the address for the customer', async () => {
  const result = await gateway.client().sale(saleInput(cards.threeDs))
  const told = result.outcome === 'accepted' ? result.reply.redirectUrl : undefined
  expect(told).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/paynet\/3ds\/redirect\/[\w-]{22}$/)
})
