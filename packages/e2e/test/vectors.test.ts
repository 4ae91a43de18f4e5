import { createGateway, type GatewayOptions, type GatewayRequest, virtualClock } from '@tallystick/gateway'
import { describe, expect, test } from 'vitest'
import { controlVectors, oauthVectors, rsaPublicKeyPem } from '../../signing/test/vectors.ts'

/** What the interface requires of a sale besides what its vectors sign. */
const UNSIGNED = {
  order_desc: 'Tea',
  address1: '100 Main st',
  city: 'Seattle',
  zip_code: '1235',
  country: 'DE',
  phone: '+12063582043',
  ipaddress: '65.153.12.232',
  currency: 'USD',
  redirect_url: 'https://shop.example.com/back',
  credit_card_number: '4444555566661111',
  card_printed_name: 'JOHN SMITH',
  expire_month: '12',
  expire_year: '2039',
  cvv2: '123',
}

/** The operations for which each known control is valid. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  D1: ['sale'],
  P1: ['sale', 'preauth', 'sale-form', 'preauth-form', 'payment-form'],
  P3: ['get-card-info'],
  P5: ['capture', 'return'],
  P9: ['status'],
  W4: ['make-rebill'],
}

const SIGNED_AT = 1_669_966_913

async function answerTo(
  { headers, ...request }: Pick<GatewayRequest, 'url' | 'body' | 'headers'>,
  options: Pick<GatewayOptions, 'publicUrl' | 'merchants'>,
) {
  const gateway = createGateway({ ...options, sandbox: true, clock: virtualClock(SIGNED_AT * 1000) })
  const form = { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' }
  const { status } = await gateway.handle({ method: 'POST', ...request, headers: { ...form, ...headers } })
  await gateway.close()
  return status
}

describe('The gateway accepts the known controls', () => {
  const vectors = controlVectors.flatMap((vector) => (PATHS[vector.id] ?? []).map((path) => ({ ...vector, path })))

  test.for(vectors)('[S5.1-01] [G7.1-01] $id for $path, and none that differs', async (vector) => {
    const { endpointId = '253', ...fields } = vector.fields
    const merchants = [{ login: 'test-login', controlKey: vector.key, endpoints: [{ id: endpointId }] }]
    const withControl = (control: string) => {
      const body = new URLSearchParams({ ...UNSIGNED, ...fields, control }).toString()
      const request = { url: `/paynet/api/v2/${vector.path}/${endpointId}`, headers: {}, body }
      return answerTo(request, { publicUrl: 'https://gate.example.com/paynet', merchants })
    }
    // The order or the card may not exist: the gateway says so only to a caller with a valid signature.
    expect([200, 400]).toContain(await withControl(vector.control))
    expect(await withControl(vector.control.replace(/^./, (first) => (first === '0' ? '1' : '0')))).toBe(403)
  })
})

test("[G12-12] [S5.2-15] The gateway accepts a transfer as the family's official client has sent it", async () => {
  const vector = oauthVectors.find(({ id }) => id === 'RSA-1 deposit2card')
  if (vector === undefined) throw new Error('there is no such vector')
  const { origin, pathname } = new URL(vector.requestUrl)
  const merchants = [
    { login: 'merchantlogin', controlKey: 'a key', publicKey: rsaPublicKeyPem, endpoints: [{ id: '1' }] },
  ]
  const sent = (body: string) =>
    answerTo(
      { url: pathname, headers: { authorization: vector.authorization }, body },
      { publicUrl: `${origin}/paynet`, merchants },
    )
  expect(await sent(vector.body)).toBe(200)
  expect(await sent(vector.body.replace('amount=100', 'amount=101'))).toBe(403)
})
