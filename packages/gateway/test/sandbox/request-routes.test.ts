import { operationKeys } from '@tallystick/core'
import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { desk } from '../support/desk.ts'
import { control, merchants, post as request, SALE, sale } from '../support/signed-requests.ts'

function sandboxed() {
  const made = desk({ sandbox: true, merchants: merchants() })
  const handle = createSandbox(made.gateway)
  async function ask(method: string, path: string, body?: unknown) {
    const text = body === undefined ? '' : JSON.stringify(body)
    const reply = await handle({ method, url: `/__sandbox${path}`, headers: {}, body: text })
    return { http: reply.status, ...JSON.parse(reply.body) }
  }
  const get = (path: string) => ask('GET', path)
  /** The last request in the recording, put right. */
  const right = () => {
    const id = Array.from(made.gateway.recording?.events() ?? []).findLast(({ type }) => type === 'request')?.id
    return get(`/requests/${id}`)
  }
  return { ...made, get, right, send: (asked: object) => ask('POST', '/requests', asked) }
}

const values = (fields: readonly { readonly name: string; readonly value: string }[]) =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]))

test('[F-E30] every operation has its fields and an example, whose signature the gateway takes, whoever has the keys', async () => {
  const { get, send, right } = sandboxed()
  const { operations } = await get('/operations')
  expect(operations.map(({ key }: { key: string }) => key)).toEqual(operationKeys)
  for (const key of operationKeys) {
    const { fields, example, signature } = await get(`/operations/${key}`)
    expect(fields.length).toBeGreaterThan(0)
    const sent = await send({ operation: key, fields: values(example) })
    expect([key, sent.verifiedBy, sent.http]).toEqual([key, signature, 200])
    expect(sent.reply).toBeGreaterThan(sent.request)
    expect(await right()).toMatchObject({ http: 200, operation: key, login: 'shop' })
  }
  expect(await get('/operations/toString')).toMatchObject({ http: 400, field: 'operation' })
})

test('[F-E30] a field has its names, what it means, when it is required and its shape', async () => {
  const { fields } = await sandboxed().get('/operations/sale')
  expect(fields).toContainEqual({
    name: 'cvv2',
    field: 'cvv2',
    meaning: 'The card verification value.',
    required: expect.stringContaining('card'),
    bound: expect.stringContaining('3'),
    shape: expect.objectContaining({ type: 'string' }),
  })
})

test('[F-E31] a refused request is put right: what is to be signed, with examples for the card and its code', async () => {
  const { gateway, right } = sandboxed()
  const fields = { ...SALE, client_orderid: 'inv-7', amount: '10.42', email: ' a@example.com' }
  const body = new URLSearchParams({ ...fields, control: control('amount', fields) })
  expect((await gateway.handle(request('/api/v2/sale/1112', body.toString()))).status).toBe(403)
  const { http, signature, fields: put, url, notes, login } = await right()
  expect([http, url, login]).toEqual([200, 'https://gate.example.com/paynet/api/v2/sale/1112', 'shop'])
  expect(values(put)).toEqual({
    ...fields,
    credit_card_number: expect.any(String),
    cvv2: '123',
    email: 'a@example.com',
  })
  expect(signature).toEqual({
    scheme: 'control',
    terms: [
      { term: 'endpointId', text: '1112' },
      { term: 'clientOrderId', text: 'inv-7' },
      { term: 'amountInCents', text: '1042' },
      { term: 'email', text: 'a@example.com' },
    ],
  })
  expect(notes).toEqual(
    expect.arrayContaining(['cvv2 is not recorded: 123 stands for it.', 'email has no white space at its ends.']),
  )
})

test('[F-E31] what was not sent is from an example, an unknown endpoint is replaced, and so is the login of another merchant', async () => {
  const { gateway, right } = sandboxed()
  await gateway.handle(request('/api/v2/status/9999', 'login=rival&client_orderid=inv-7&control=0'))
  expect(await right()).toMatchObject({ endpoint: { id: '2222' }, login: 'rival' })
  await gateway.handle(request('/api/v2/status/1111', 'login=rival&client_orderid=inv-7&control=0'))
  expect(await right()).toMatchObject({
    endpoint: { id: '1111' },
    login: 'shop',
    notes: ['login is shop, whose endpoint it is.'],
  })
  const { email: _, ...fields } = SALE
  await gateway.handle(sale(fields))
  await gateway.handle(request('/api/v2/sale/1111', new URLSearchParams({ ...fields, control: '0' }).toString()))
  expect((await right()).notes).toContain('email was not sent: john.smith@example.com stands for it.')
})

test('[F-E31] a signed field that breaks its grammar is named, and nothing is to be signed', async () => {
  const { gateway, right, get } = sandboxed()
  await gateway.handle(request('/api/v2/sale/1111', new URLSearchParams({ ...SALE, amount: '1.2.3' }).toString()))
  const { signature, notes } = await right()
  expect([signature, notes.join()]).toEqual([undefined, expect.stringContaining('amount')])
  await gateway.handle(request('/api/v2/nothing/1111', 'a=b'))
  expect((await right()).http).toBe(404)
  expect((await get('/requests/99999')).http).toBe(404)
})

test('[F-E32] a request is signed and sent as it is asked for, and its ids in the recording are told', async () => {
  const { send, gateway, get } = sandboxed()
  const { example } = await get('/operations/sale')
  const fields = { ...values(example), amount: '0.5', client_orderid: 'inv-9' }
  const sent = await send({ operation: 'sale', endpoint: '1112', fields })
  const recorded = Array.from(gateway.recording?.events() ?? [])
  expect(recorded.find(({ id }) => id === sent.request)).toMatchObject({ path: '/paynet/api/v2/sale/1112' })
  expect(recorded.find(({ id }) => id === sent.reply)).toMatchObject({ request: sent.request, clientOrderId: 'inv-9' })
  expect(sent).toMatchObject({ httpStatus: 200, verifiedBy: 'control', orderId: expect.stringMatching(/^\d{15}$/) })
  expect(await send({ operation: 'sale', fields: { ...fields, amount: '1.2.3' } })).toMatchObject({ httpStatus: 400 })
  expect(await send({ operation: 'sale', endpoint: '9999', fields })).toMatchObject({
    http: 400,
    error: 'there is no endpoint or group 9999 for sale',
  })
  expect(await send({ operation: 'sale', path: '/api/v2/void', fields })).toMatchObject({ http: 400 })
  expect(await send({ operation: 'sale', fields: { amount: 1 } })).toMatchObject({ http: 400 })
})

test("[F-E32] a signature by the sandbox's own RSA key counts at its own gateway alone", async () => {
  const [one, other] = [sandboxed(), sandboxed()]
  const { example } = await one.get('/operations/payoutCheck')
  expect(await one.send({ operation: 'payoutCheck', fields: values(example) })).toMatchObject({
    verifiedBy: 'RSA-SHA256',
  })
  await other.send({ operation: 'payoutCheck', fields: values(example) })
  const signed = one.gateway.sandbox?.requests.signed({ operation: 'payoutCheck', fields: values(example) })
  if (signed === undefined) throw new Error('no sandbox')
  expect((await other.gateway.handle(signed)).status).toBe(403)
  expect((await one.gateway.handle(signed)).status).toBe(200)
})
