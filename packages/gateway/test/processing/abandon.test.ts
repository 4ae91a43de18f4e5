import { describe, expect, test } from 'vitest'
import { APPROVED, deciding, UNKNOWN, undecided } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { STEPS } from '../support/issuer.ts'
import { SHOP } from '../support/signed-requests.ts'
import { committing } from '../support/stores.ts'
import { serverToServer } from '../support/three-ds.ts'

const CALLED = { server_callback_url: 'https://shop.example.com/cb' }
const THREE_DS = { cvv2: '321', redirect_url: 'https://shop.example.com/return' }

describe('a customer who does not finish 3DS', () => {
  test('is waited for, and then the order is declined and called back', async () => {
    const { sale, shown, calls, clock } = desk()
    const ids = await sale({ ...THREE_DS, ...CALLED })
    await clock.advance(30 * 60_000 - 1)
    expect((await shown(ids))[0]).toBe('processing')
    await clock.advance(1)
    expect(await shown(ids)).toEqual(['declined', 'sale', 'sale_failed', '0.00', '10.42'])
    expect(calls).toEqual([expect.stringMatching(/status=declined.*&type=sale|type=sale.*status=declined/)])
    expect(calls[0]).toContain('error_code=12')
  })

  test('is not waited for any longer if someone else writes the order first', async () => {
    let rivals = 0
    const store = committing(async (change, commit) =>
      change.order !== undefined && rivals-- > 0 ? { ok: false, conflict: 'order' } : await commit(),
    )
    const { sale, shown, clock } = desk({ store })
    const ids = await sale(THREE_DS)
    rivals = 1
    await clock.advance('30m')
    expect([(await shown(ids))[0], rivals]).toEqual(['declined', -1])
  })

  /** The shop, with an endpoint that gives its customers this much time. */
  const givingTime = (formLifetime: '5m' | '10m') => [
    { login: 'shop', controlKey: SHOP.controlKey, endpoints: [{ id: '1111', formLifetime }] },
  ]

  test('is waited for as long as the endpoint says, whoever shows the step', async () => {
    const { sale, shown, clock } = desk({ merchants: givingTime('5m') })
    const ids = await sale(serverToServer('challenge'))
    await clock.advance('4m')
    expect((await shown(ids))[0]).toBe('processing')
    await clock.advance('1m')
    expect((await shown(ids))[0]).toBe('declined')
  })

  test('is waited for as long as the endpoint says at that time', async () => {
    const { sale, gateway, store, clock } = desk({ merchants: givingTime('5m') })
    const ids = await sale(THREE_DS)
    await gateway.close()
    const { shown, recovered } = desk({ store, clock, merchants: givingTime('10m') })
    await recovered()
    await clock.advance(10 * 60_000 - 1)
    expect((await shown(ids))[0]).toBe('processing')
    await clock.advance(1)
    expect((await shown(ids))[0]).toBe('declined')
  })

  test('is not waited for forever if the acquirer asks for the next step while the wait for the first ends', async () => {
    const { execute: authenticate, decide } = undecided()
    const asked = Promise.withResolvers<void>()
    const store = committing(async ({ order, tasks = [], doneTasks = [] }, commit) => {
      const abandoned = [...tasks.map(({ id }) => id), ...doneTasks].some((id) => id.startsWith('abandon-'))
      if (order === undefined && abandoned) {
        decide({ status: 'processing', awaits: STEPS.challenge })
        await asked.promise
      }
      const committed = await commit()
      if (order?.order.operations[0]?.outcome.awaits?.step === 'challenge') asked.resolve()
      return committed
    })
    const execute = async () => ({ status: 'processing', awaits: STEPS.method }) as const
    const acquirer = deciding({ execute, authenticate, lookup: async () => UNKNOWN })
    const { sale, shown, told, clock, gateway, request } = desk({ store, acquirer })
    const { orderid, client_orderid } = await sale(serverToServer('challenge'))
    await clock.advance('20m')
    const brought = { orderid, 'client-order-id': client_orderid, threeDSCompInd: 'Y' }
    await gateway.handle(request('/api/3ds/v1/upload-method-url-result', brought))
    await clock.advance('10m')
    expect((await told({ client_orderid }))['tds-status']).toBe('CReqForm')
    await clock.advance('30m')
    expect((await shown({ client_orderid }))[0]).toBe('declined')
  })

  test('who did finish in time leaves no task', async () => {
    const { sale, shown, ask, clock, store, heard } = desk({
      acquirer: deciding({ authenticate: async () => APPROVED }),
    })
    const ids = await sale(THREE_DS)
    const { orderid, client_orderid } = ids
    await ask('/api/3ds/v1/upload-cres-result', { orderid, 'client-order-id': client_orderid, cRes: 'e30' })
    expect(await store.tasksOf(orderid)).toMatchObject([{ kind: 'abandon' }])
    await clock.advance('30m')
    expect([await store.tasksOf(orderid), heard, (await shown(ids))[0]]).toEqual([[], [], 'approved'])
  })

  test('who did finish is not declined while the acquirer thinks, nor while nobody knows how it ended', async () => {
    const { execute, decide } = undecided()
    const { sale, shown, clock, gateway, request } = desk({
      acquirer: deciding({ authenticate: execute, lookup: async () => UNKNOWN }),
    })
    const ids = await sale(THREE_DS)
    const cRes = Buffer.from('{"transStatus":"Y"}').toString('base64url')
    const names = { orderid: ids.orderid, 'client-order-id': ids.client_orderid }
    await clock.advance('29m')
    await gateway.handle(request('/api/3ds/v1/upload-cres-result', { ...names, cRes }))
    await clock.advance('3h')
    decide({ status: 'approved', approvalCode: '123456', processorTxId: 'tx' })
    await gateway.settled()
    expect((await shown(ids))[0]).toBe('approved')
  })
})
