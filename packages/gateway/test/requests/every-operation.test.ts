import { describe, expect, test } from 'vitest'
import type { GatewayReply, GatewayRequest } from '../../src/index.ts'
import { FORMULAS } from '../support/formulas.ts'
import {
  CARD,
  control,
  controlled,
  type Fields,
  fieldsOf,
  form,
  merchants,
  oauthSigned,
  PAYER,
  post,
  RIVAL,
  rsaKeys,
  SALE,
  SHOP,
  type Signer,
} from '../support/signed-requests.ts'
import { testGateway } from '../support/test-gateway.ts'

const [shop, rival] = [rsaKeys(), rsaKeys()]
const publicKeys = { shop: shop.publicKey, rival: rival.publicKey }

const MONEY = { amount: '10.42', currency: 'EUR' }
const FORM = { ...PAYER, redirect_url: 'https://shop.example.com/return' }
const VERIFICATION = { ...PAYER, ...CARD }
const ORDER = { login: 'shop', client_orderid: 'inv-1', orderid: '123456789012345' }
const UPLOAD = { login: 'shop', 'client-order-id': 'inv-1', orderid: '123456789012345' }
const PAYOUT = {
  client_orderid: 'out-1',
  ...MONEY,
  account_number: 'DE02120300000000202051',
  bank_name: 'Bank & Sons',
  bank_branch: 'Mitte',
}
const RECURRING = {
  rp_card_type: 'SRC',
  'client-orderid': 'rp-1',
  login: 'shop',
  'credit-card-number': '4444333322221111',
  'card-printed-name': 'JOHN SMITH',
  'expire-month': '12',
  'expire-year': '2031',
  ...MONEY,
  period: 'month',
  interval: '2',
}
const TRANSFER = { client_orderid: 'tr-1', ...MONEY, deposit2card: 'true', 'destination-card-no': '4444333322221111' }
const TRANSFER_BY_REF = {
  'client-order-id': 'tr-1',
  ...MONEY,
  order_desc: 'Savings',
  'destination-card-no': '4444333322221111',
}

type Row = readonly [id: string, path: string, formula: string, fields: Fields]

/** The Control column of part 4 of the specification, or part 3.2 of the gaps if that shows none. */
const CONTROLLED: readonly Row[] = [
  [
    '[S4-10]',
    '/api/3ds/v1/upload-cres-result',
    FORMULAS.uploaded,
    { ...UPLOAD, cRes: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ' },
  ],
  ['[S4-11]', '/api/3ds/v1/upload-method-url-result', FORMULAS.uploaded, { ...UPLOAD, threeDSCompInd: 'Y' }],
  ['[S4-12]', '/api/3ds/v1/upload-pares-result', FORMULAS.uploaded, { ...UPLOAD, paRes: 'eJzVV1mTokgQ' }],
  ['[S4-17]', '/api/v2/sale', FORMULAS.paid, SALE],
  ['[S4-18]', '/api/v2/sale-form', FORMULAS.paid, { ...FORM, ...MONEY }],
  ['[S4-19]', '/api/v2/preauth', FORMULAS.paid, SALE],
  ['[S4-20]', '/api/v2/preauth-form', FORMULAS.paid, { ...FORM, ...MONEY }],
  ['[S4-21]', '/api/v2/capture', FORMULAS.modified, { ...ORDER, ...MONEY }],
  ['[S4-22]', '/api/v2/void', FORMULAS.named, { ...ORDER, comment: 'Changed their mind' }],
  ['[S4-23]', '/api/v2/return', FORMULAS.modified, { ...ORDER, ...MONEY, comment: 'One rose wilted' }],
  ['[S4-24]', '/api/v2/account-verification', FORMULAS.verified, VERIFICATION],
  ['[S4-25]', '/api/v2/account-verification-form', FORMULAS.verified, FORM],
  ['[S4-26] [G3.2-03]', '/api/v2/payment-form', FORMULAS.paid, { ...FORM, ...MONEY }],
  ['[S4-27]', '/api/v2/create-card-ref', FORMULAS.named, ORDER],
  ['[S4-28] [G3.2-09]', '/api/v2/get-card-info', FORMULAS.informed, { login: 'shop', cardrefid: '123456' }],
  [
    '[S4-29]',
    '/api/v2/make-rebill',
    FORMULAS.rebilled,
    { login: 'shop', client_orderid: 'inv-2', cardrefid: '123456', ...MONEY },
  ],
  ['[S4-30]', '/api/v2/status', FORMULAS.named, ORDER],
]

const HMAC = 'HMAC-SHA1'
const RSA = 'RSA-SHA256'

/** The Auth column of part 4 of the specification. Only payout-form accepts either method. */
const OAUTH: readonly Row[] = [
  ['[S4-43] [S5.2-13]', '/api/v2/payout', HMAC, PAYOUT],
  ['[S4-44]', '/api/v2/payout-form', HMAC, { client_orderid: 'out-1', ...MONEY, redirect_url: FORM.redirect_url }],
  ['[S4-45]', '/api/v4/create-card-ref', RSA, ORDER],
  ['[S4-46]', '/api/v4/create-recurring-payment', RSA, RECURRING],
  ['[S4-47]', '/api/v4/payout-check', RSA, PAYOUT],
  ['[S4-48]', '/api/v4/payout-pay', RSA, ORDER],
  [
    '[S4-55] [S5.2-13]',
    '/api/v2/pan-eligibility/send',
    HMAC,
    { 'client-order-id': 'pe-1', 'sending-card-ref-id': '123456' },
  ],
  ['[S4-56]', '/api/v4/transfer', RSA, TRANSFER],
  ['[S4-57]', '/api/v4/transfer-by-ref', RSA, TRANSFER_BY_REF],
]

const { gateway } = testGateway({ merchants: merchants(publicKeys) })

/** The only answer to a request that is not signed as it should be. */
const FORBIDDEN =
  '{"type":"error","serial-number":"","error-message":"The signature of this request is not accepted.","error-code":"4"}'

function withoutSerialNumber({ body }: GatewayReply): string {
  return body.replace(/"serial-number":"[^"]*"/, '"serial-number":""')
}

async function expectForbidden(request: GatewayRequest): Promise<void> {
  const reply = await gateway.handle(request)
  expect([reply.status, withoutSerialNumber(reply)]).toEqual([403, FORBIDDEN])
}

/**
 * The codes that only a verified and valid request can get: none, because it was accepted, or that there is no such order, no
 * such card, or another order with its id.
 */
const BEYOND_VERIFICATION = [undefined, '2', '8', '3']

async function expectVerified(request: GatewayRequest): Promise<void> {
  const reply = await gateway.handle(request)
  expect(reply.status).not.toBe(403)
  expect(BEYOND_VERIFICATION).toContain(fieldsOf(reply)['error-code'])
}

test('the table has all 32 operations', () => {
  expect(CONTROLLED.length + OAUTH.length).toBe(26)
})

describe.for(CONTROLLED)('%s [S4-09] [S5-01] [S5.1-01] [S5.1-02] [S9-04] %s', ([, path, formula, fields]) => {
  const right = control(formula, fields)
  const withControl = (value: string, changes: Fields = {}, endpointId = '1111') =>
    post(`${path}/${endpointId}`, form({ ...fields, ...changes, control: value }))

  test('[S9-01] is verified by SHA-1 over the fields of its formula and the key', async () => {
    await expectVerified(withControl(right))
  })

  test('[G7.1-01] [G2.4-01] takes a control in upper case and with white space around it', async () => {
    await expectVerified(withControl(right.toUpperCase()))
    await expectVerified(withControl(` ${right}\n`))
  })

  test('is refused under the key of another merchant', async () => {
    await expectForbidden(withControl(control(formula, fields, { ...SHOP, controlKey: RIVAL.controlKey })))
  })

  test('is refused when one signed field is another', async () => {
    const terms = formula.split(' + ').filter((name) => name !== 'endpointId' && name !== 'key')
    const others: Fields = { amount: '10.43', currency: 'USD', email: 'john.smith@gmail.co' }
    for (const name of terms) {
      await expectForbidden(withControl(right, { [name]: others[name] ?? `${fields[name]}1` }))
    }
  })

  test('is refused without its control', async () => {
    await expectForbidden(post(`${path}/1111`, form(fields)))
  })

  test('is refused with a control that is malformed', async () => {
    for (const value of ['', 'x', right.slice(1), `${right}0`, 'z'.repeat(40)]) {
      await expectForbidden(withControl(value))
    }
  })

  test('is refused with the control of an operation that has another formula', async () => {
    const controls = new Set(CONTROLLED.map(([, , other]) => control(other, fields)))
    controls.delete(right)
    for (const value of controls) await expectForbidden(withControl(value))
    expect(controls.size).toBeGreaterThan(1)
  })

  test('is refused at the endpoint of another merchant, and at one that does not exist', async () => {
    await expectForbidden(withControl(right, {}, '2222'))
    await expectForbidden(withControl(right, {}, '9999'))
    const elsewhere: Signer = { ...SHOP, endpointId: '9999' }
    await expectForbidden(withControl(control(formula, fields, elsewhere), {}, '9999'))
  })

  test('is refused at another endpoint of the merchant where the formula has the endpoint', async () => {
    if (formula.startsWith('endpointId')) await expectForbidden(withControl(right, {}, '1112'))
    else await expectVerified(withControl(right, {}, '1112'))
  })
})

const NAMES_ITS_LOGIN = CONTROLLED.filter(([, , , { login }]) => login !== undefined)

test.for(NAMES_ITS_LOGIN)(
  '%s [S2-03] %s is refused with the login of another merchant, though the key fits',
  async ([, path, formula, fields]) => {
    await expectForbidden(controlled(path, formula, { ...fields, login: 'rival' }))
  },
)

describe.for(OAUTH)('%s [S4-09] [S5-01] %s', ([, path, method, fields]) => {
  const key = method === HMAC ? SHOP.controlKey : shop.privateKey
  const foreignKey = method === HMAC ? RIVAL.controlKey : rival.privateKey
  const at = `${path}/1111`
  let nonces = 0
  const signing = () => ({ method, key, nonce: `${path}-${nonces++}` })

  test('[S9-01] [S9-03] [S5.2-14] [S5.2-15] [S5.2-17] is verified by its method and key', async () => {
    await expectVerified(oauthSigned(at, fields, signing()))
  })

  test('is refused under the key of another merchant', async () => {
    await expectForbidden(oauthSigned(at, fields, { ...signing(), key: foreignKey }))
  })

  test('[S5.2-26] [S7-03] [G12-03] is refused when any one field is another, is missing or is new', async () => {
    const { headers } = oauthSigned(at, fields, { ...signing(), inBody: false })
    for (const name of Object.keys(fields)) {
      const { [name]: _, ...rest } = fields
      await expectForbidden({ ...post(at, form({ ...rest, [name]: '1' })), headers })
      await expectForbidden({ ...post(at, form(rest)), headers })
    }
    await expectForbidden({ ...post(at, form({ ...fields, purpose: 'Rent' })), headers })
  })

  test('[S5.2-02] is refused without the header, and with a control in its place', async () => {
    await expectForbidden(post(at, form(fields)))
    await expectForbidden(post(at, form({ ...fields, control: control(FORMULAS.named, fields) })))
  })

  test('is refused at every other endpoint: the address is signed', async () => {
    const request = oauthSigned(at, fields, signing())
    for (const id of ['1112', '2222', '9999']) await expectForbidden({ ...request, url: `/paynet${path}/${id}` })
    await expectForbidden(oauthSigned(`${path}/9999`, fields, signing()))
    await expectForbidden(oauthSigned(`${path}/2222`, fields, signing()))
  })

  test('[S2-03] is refused with the login of another merchant, in the header or in the body', async () => {
    await expectForbidden(oauthSigned(at, fields, { ...signing(), login: 'rival' }))
    if (fields['login'] === undefined) return
    await expectForbidden(oauthSigned(at, { ...fields, login: 'rival' }, signing()))
  })

  test('[S5.2-27] is refused by another method, but for payout-form, which takes either', async () => {
    const other = method === HMAC ? { method: RSA, key: shop.privateKey } : { method: HMAC, key: SHOP.controlKey }
    const request = oauthSigned(at, fields, { ...signing(), ...other })
    await (path.endsWith('payout-form') ? expectVerified(request) : expectForbidden(request))
    await expectForbidden(oauthSigned(at, fields, { ...signing(), method: 'PLAINTEXT', key: shop.privateKey }))
  })
})
