import { describe, expect, test } from 'vitest'
import { deciding, UNKNOWN, undecided } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { committing } from '../support/stores.ts'

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

  test('is not waited for any longer where somebody else is quicker to write the order', async () => {
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

  test('is waited for as long as the endpoint says, whoever shows the step', async () => {
    const merchants = [
      {
        login: 'shop',
        controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20',
        endpoints: [{ id: '1111', formLifetime: '5m' as const }],
      },
    ]
    const { sale, shown, clock } = desk({ merchants })
    const ids = await sale({
      cvv2: '321',
      customer_browser_info: 'true',
      customer_browser_accept_header: '*/*',
      customer_browser_user_agent: 'test',
      customer_browser_javascript_enabled: 'false',
      customer_browser_accept_language: 'en',
    })
    await clock.advance('4m')
    expect((await shown(ids))[0]).toBe('processing')
    await clock.advance('1m')
    expect((await shown(ids))[0]).toBe('declined')
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
