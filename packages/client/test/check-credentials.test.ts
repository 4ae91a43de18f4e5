import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createPaymentClient, type Exchange, merchantCredentials, rawReplyOf } from '../src/index.ts'
import { fakeTransport, json, lost, replied } from './fake-transport.ts'
import { privatePem } from './keys.ts'
import { baseUrl, merchant } from './merchant.ts'

const refusal = (message: string) => json({ type: 'validation-error', 'error-message': message }, 400)
const badSignature = json({ type: 'error', 'error-message': 'invalid signature' }, 403)
const noSuchOrder = refusal('There is no order of this client_orderid and orderid.')

function gateway(...exchanges: readonly Exchange[]) {
  const transport = fakeTransport(...exchanges)
  return { transport, client: createPaymentClient({ ...merchant, baseUrl, transport }) }
}

describe('checkCredentials', () => {
  test.each([
    'There is no order of this client_orderid and orderid.',
    'No such order',
    'Order with client_orderid t1 not found',
    "Transaction doesn't exist",
    'Order 6768788 was not found',
    'Unknown transaction',
  ])('finds the credentials right if the gateway looked for the order: %s', async (message) => {
    expect(await gateway(refusal(message)).client.checkCredentials()).toEqual({ credentials: 'right' })
  })

  test.each([403, 401])(
    '[F-C25] finds them wrong, and says what to compare, if the gateway refused the signature with HTTP %d',
    async (httpStatus) => {
      const { client } = gateway(json({ type: 'error', 'error-message': 'invalid signature' }, httpStatus))
      const check = await client.checkCredentials()
      expect(check).toMatchObject({ credentials: 'wrong', error: { code: 'AUTH_REJECTED' } })
      if (check.credentials !== 'wrong') throw new Error(check.credentials)
      expect(check.remedy).toBe(
        "Wrong key, login or endpoint: compare login test-login, endpointId 253 and the controlKey with the gateway's; " +
          'the control was made of login + clientOrderId + orderId + controlKey.',
      )
      expect(check.remedy).not.toContain(merchant.controlKey)
    },
  )

  test.each([
    replied(403, 'text/html', '<html>blocked by your network</html>'),
    replied(401, 'text/plain', 'Unauthorized'),
    replied(403, '', ''),
    replied(403, 'application/json', '{"message":"Forbidden"}'),
    replied(403, 'application/json', '{"type":"error","error":{"message":"blocked"}}'),
  ])(
    '[F-C2] leaves it unclear, and names the proxy, if what refused it is no reply of the gateway: %o',
    async (page) => {
      expect(await gateway(page).client.checkCredentials()).toMatchObject({
        credentials: 'unclear',
        error: { code: 'AUTH_REJECTED', isReply: false },
        remedy: expect.stringMatching(
          /^(?!.*wrong key).*which is no reply of the gateway\. A proxy or firewall in between may have refused it/,
        ),
      })
    },
  )

  test.each([
    ['a refusal of something else', refusal('Endpoint not found'), 'REJECTED'],
    ['no answer', lost, 'NO_REPLY'],
    ['a gateway that cannot be reached', { kind: 'not-sent', seen: 'refused' } as const, 'NOT_SENT'],
    ['a failure', json({ type: 'error', 'error-message': 'Order not found' }, 500), 'GATEWAY_ERROR'],
  ])('leaves it unclear after %s', async (_what, exchange, code) => {
    const check = await gateway(exchange).client.checkCredentials()
    if (check.credentials !== 'unclear' || check.error === undefined) throw new Error(check.credentials)
    expect(check.error.code).toBe(code)
    expect(check.remedy).toBe(`Could not check the credentials. ${check.error.message}`)
  })

  test.each([
    'Order status refused: login unknown',
    'Transaction rejected: merchant not found',
    'Cannot read order: endpoint 253 does not exist',
    'Transaction refused: merchant not found',
    'Invalid transaction: unknown login',
    'Payment transaction cannot be read: login does not exist',
    'No order access for this login',
    'No transaction permitted: invalid control',
    'Order with login shop not found',
  ])('leaves it unclear if the words may refuse something else: %s', async (message) => {
    const check = await gateway(refusal(message)).client.checkCredentials()
    expect(check).toMatchObject({ credentials: 'unclear', remedy: expect.stringContaining(message) })
  })

  test.each([
    ['a refusal', json({ type: 'validation-error', 'error-message': 'No such operation' }, 404)],
    ['a page', replied(404, 'text/html', '<h1>Not found</h1>')],
  ])('leaves it unclear, and names the URL and baseUrl, after %s with HTTP 404', async (_what, exchange) => {
    const check = await gateway(exchange).client.checkCredentials()
    expect(check).toMatchObject({
      credentials: 'unclear',
      remedy: expect.stringMatching(
        /the URL was https:\/\/gate\.example\.com\/paynet\/api\/v2\/status\/253; baseUrl is the address with its path prefix, without \/api\/v2\. /,
      ),
    })
  })

  test.each([
    ['right', noSuchOrder],
    ['wrong', badSignature],
    ['unclear', lost],
  ] as const)('writes one line to the log, which says that they are %s', async (how, exchange) => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const client = createPaymentClient({ ...merchant, baseUrl, transport: fakeTransport(exchange), log })
    await client.checkCredentials()
    expect(lines).toEqual([`credentials: ${how}`])
  })

  test('leaves it unclear if the gateway claims to know the order, as a stand-in may', async () => {
    const { client } = gateway(json({ type: 'status-response', status: 'approved', 'paynet-order-id': '1' }))
    expect(await client.checkCredentials()).toEqual({
      credentials: 'unclear',
      error: undefined,
      remedy: expect.stringContaining('baseUrl'),
    })
  })

  test('asks for the status of an order that cannot exist, another one each time', async () => {
    const { client, transport } = gateway(noSuchOrder)
    await client.checkCredentials()
    await client.checkCredentials()
    const ids = transport.sent.map(({ body }) => new URLSearchParams(body).get('client_orderid'))
    expect(transport.sent.map(({ url }) => new URL(url).pathname)).toEqual(Array(2).fill('/paynet/api/v2/status/253'))
    expect(ids[0]).toMatch(/^t[0-9a-v]{24}[a-p]$/)
    expect(ids[1]).not.toBe(ids[0])
  })

  test('checks the credentials and the endpoint of the call instead of the client’s own', async () => {
    const { client, transport } = gateway(noSuchOrder)
    const credentials = merchantCredentials({ login: 'other', controlKey: 'another key' })
    await client.checkCredentials({ credentials, endpointId: '77' })
    const form = new URLSearchParams(transport.sent[0]?.body)
    const signed = `other${form.get('client_orderid')}another key`
    expect(form.get('login')).toBe('other')
    expect(form.get('control')).toBe(createHash('sha1').update(signed).digest('hex'))
    expect(transport.sent[0]?.url).toMatch(/status\/77$/)
  })

  test('throws a TypeError if an option is misspelled', async () => {
    await expect(gateway(noSuchOrder).client.checkCredentials({ timeout: 1 } as never)).rejects.toThrow(TypeError)
  })
})

describe('A payment with a refused signature says what its status reveals about the cause', () => {
  const rebill = { clientOrderId: 'invoice-a', cardRefId: '1326586', amount: '10.42', currency: 'EUR' }
  const refused = async (...exchanges: readonly Exchange[]) => {
    const result = await gateway(badSignature, ...exchanges).client.makeRebill(rebill)
    if (result.outcome !== 'rejected') throw new Error(result.outcome)
    return result.error
  }

  test('[F-C25] if the status is refused as well, login, key or endpoint are wrong', async () => {
    const error = await refused(badSignature)
    expect(error).toMatchObject({
      code: 'AUTH_REJECTED',
      clientOrderId: 'invoice-a',
      httpStatus: 403,
      operation: 'REBILL',
    })
    expect(error.message).toBe(
      "REBILL: Wrong key, login or endpoint: compare login test-login, endpointId 253 and the controlKey with the gateway's; " +
        'the status of the order was refused as well. ' +
        'Seen: the signature was refused (HTTP 403 with application/vnd.pay+json): "invalid signature".',
    )
    expect(rawReplyOf(error)?.body).toContain('invalid signature')
  })

  test('if the status is accepted, login and key are right', async () => {
    const { message } = await refused(noSuchOrder)
    expect(message).toContain('the login and the controlKey are right: only the control was wrong; it was made of')
    expect(message).not.toMatch(/clock|wrong key/i)
  })

  test.each([
    ['is lost', lost],
    ['is refused for another reason', refusal('Endpoint not found')],
  ])('a status that %s adds nothing', async (_what, status) => {
    expect((await refused(status)).message).not.toContain('status of the order')
  })

  test.each(['payout', 'payoutPay'] as const)(
    'a %s names its own OAuth method or key, and the clock',
    async (operation) => {
      const transport = fakeTransport(badSignature, lost)
      const client = createPaymentClient({ ...merchant, baseUrl, transport, privateKey: privatePem })
      const result =
        operation === 'payout'
          ? await client.payout({
              clientOrderId: 'a',
              amount: '1.00',
              currency: 'EUR',
              orderDesc: 'x',
              cardNumber: '4444555566661111',
            })
          : await client.payoutPay({ clientOrderId: 'a', orderId: '1' })
      if (result.outcome !== 'rejected') throw new Error(result.outcome)
      expect(result.error.message).toContain(
        operation === 'payout' ? 'OAuth HMAC-SHA1' : 'the public half of privateKey',
      )
      expect(result.error.message).toContain('the clock of this machine')
    },
  )

  test.each([
    ['payout', 'baseUrl'],
    ['payoutCheck', 'baseUrl, the public half of privateKey'],
  ] as const)('if the status of a %s is accepted, only %s and the clock can be wrong', async (key, own) => {
    const transport = fakeTransport(badSignature, noSuchOrder)
    const client = createPaymentClient({ ...merchant, baseUrl, transport, privateKey: privatePem })
    const card = { cardNumber: '4444555566661111', orderDesc: 'x' }
    expect(await client[key]({ clientOrderId: 'a', amount: '1.00', currency: 'EUR', ...card })).toMatchObject({
      outcome: 'rejected',
      error: {
        remedy:
          'The status request was accepted, so the login and the controlKey are right: ' +
          `compare ${own} and the clock of this machine with the gateway's.`,
      },
    })
  })

  test('the login is not named if the control of a payment does not contain it', async () => {
    const transport = fakeTransport(badSignature, lost)
    const client = createPaymentClient({ ...merchant, baseUrl, transport })
    const result = await client.saleForm({
      clientOrderId: 'a',
      orderDesc: 'x',
      amount: '1.00',
      currency: 'EUR',
      email: 'a@example.com',
      ...payer,
      customerIp: '203.0.113.7',
      redirectUrl: 'https://shop.example.com/return',
    })
    if (result.outcome !== 'rejected') throw new Error(result.outcome)
    expect(result.error.message).toContain(
      "Wrong key or endpoint: compare endpointId 253 and the controlKey with the gateway's;",
    )
  })
})

const payer = { address1: 'Main st 1', city: 'Berlin', zipCode: '10115', country: 'DE', phone: '+49301234567' }
