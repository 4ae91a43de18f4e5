import { expect, test } from 'vitest'
import { issuer } from '../support/issuer.ts'
import { CARD } from '../support/signed-requests.ts'
import { redirected, serverToServer, threeDsDesk } from '../support/three-ds.ts'

const MONEY = { amount: '34.00', currency: 'EUR', 'destination-card-no': '4485940822379130' }

test('a transfer with the data of the browser leaves 3DS to its merchant (gaps part 3.1)', async () => {
  const { askOAuth, told, shown, upload, store } = threeDsDesk()
  const sender = { ...CARD, ...serverToServer('challenge') }
  const reply = await askOAuth('/api/v4/transfer', { client_orderid: 'sent', ...MONEY, ...sender })
  expect(reply).not.toHaveProperty('redirect-url')
  const ids = { client_orderid: 'sent', orderid: reply['paynet-order-id'] ?? '' }
  const step = await told(ids)
  expect(step).toMatchObject({ status: 'processing', 'tds-status': 'CReqForm' })
  expect(step).not.toHaveProperty('redirect-to')
  await upload('cres', ids, { cRes: await issuer(store).cRes(ids.orderid) })
  expect(await shown(ids)).toEqual(['approved', 'transfer', 'transfer_approved', '34.00', '34.00'])
  expect(await told(ids)).toMatchObject({ 'verified-3d-status': 'AUTHENTICATED' })
})

test.for(['false', undefined])('a transfer without it goes by redirect: customer_browser_info %s', async (told) => {
  const { askOAuth } = threeDsDesk()
  const info = told === undefined ? {} : { customer_browser_info: told }
  const sender = { ...CARD, ...redirected('challenge'), ...info }
  const reply = await askOAuth('/api/v4/transfer', { client_orderid: 'sent', ...MONEY, ...sender })
  expect(reply['redirect-url']).toContain('/3ds/redirect/')
})
