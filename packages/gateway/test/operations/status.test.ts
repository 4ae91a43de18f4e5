import { describe, expect, test } from 'vitest'
import { type Decision, simulator } from '../../src/index.ts'
import { type Fields, fieldsOf, RIVAL, SHOP, sale, status } from '../support/signed-requests.ts'
import { type TestGatewayOptions, testGateway } from '../support/test-gateway.ts'

async function sold(changes: Fields = {}, options: TestGatewayOptions = {}) {
  const { gateway } = testGateway(options)
  const acknowledged = fieldsOf(await gateway.handle(sale(changes)))
  const ask = async (fields: Fields, signer = SHOP) => fieldsOf(await gateway.handle(status(fields, signer)))
  return {
    gateway,
    ask,
    orderId: acknowledged['paynet-order-id'] ?? '',
    serialNumber: acknowledged['serial-number'] ?? '',
  }
}

const NO_SUCH_ORDER = { type: 'validation-error', 'error-code': '2' }

describe('how an order is named', () => {
  test('[S1-13] [S2-05] [S4-40] [S5.1-03] by the client order id alone, the order id being empty in the control', async () => {
    const { ask, orderId } = await sold()
    expect(await ask({ client_orderid: 'inv-1' })).toMatchObject({
      type: 'status-response',
      'paynet-order-id': orderId,
    })
    expect(await ask({ client_orderid: 'inv-1', orderid: '' })).toMatchObject({ 'paynet-order-id': orderId })
  })

  test('[S2-05] [S4-40] by both ids', async () => {
    const { ask, orderId } = await sold()
    expect(await ask({ client_orderid: 'inv-1', orderid: orderId })).toMatchObject({ 'merchant-order-id': 'inv-1' })
  })

  test('by ids that do not belong together there is no order', async () => {
    const { gateway, ask, orderId } = await sold()
    await gateway.handle(sale({ client_orderid: 'inv-2' }))
    expect(await ask({ client_orderid: 'inv-2', orderid: orderId })).toMatchObject(NO_SUCH_ORDER)
    expect(await ask({ client_orderid: 'inv-1', orderid: '123456789012345' })).toMatchObject(NO_SUCH_ORDER)
    expect(await ask({ client_orderid: 'INV-1' })).toMatchObject(NO_SUCH_ORDER)
  })

  test('[G4-06] the refusal says which order id it is about, and what to check', async () => {
    const { gateway } = await sold()
    const reply = await gateway.handle(status({ client_orderid: 'inv-9' }))
    expect(reply.status).toBe(400)
    expect(fieldsOf(reply)).toMatchObject({ ...NO_SUCH_ORDER, 'merchant-order-id': 'inv-9' })
    expect(fieldsOf(reply)['error-message']).toContain('client_orderid')
  })

  test('the login alone names no order', async () => {
    const { ask, orderId } = await sold()
    expect(await ask({ orderid: orderId })).toMatchObject({ type: 'validation-error', 'error-code': '1' })
  })

  test('[G3.2-11] by the serial number of its request, which is not signed', async () => {
    const { gateway, ask, serialNumber } = await sold()
    const named = await ask({ client_orderid: 'inv-1', 'by-request-sn': serialNumber })
    expect(named).toMatchObject({ type: 'status-response', 'merchant-order-id': 'inv-1' })
    await gateway.settled()
    const request = status({ client_orderid: 'inv-1' })
    const unsigned = { ...request, body: `${request.body}&by-request-sn=${serialNumber}` }
    expect(fieldsOf(await gateway.handle(unsigned))).toMatchObject({ status: 'approved' })
  })

  test('[G3.2-11] if the serial number made no operation of the order, that field is wrong: the order is not denied', async () => {
    const { ask, orderId } = await sold()
    const other = { 'by-request-sn': '00000000-0000-4000-8000-000000000000' }
    for (const names of [{ client_orderid: 'inv-1' }, { client_orderid: 'inv-1', orderid: orderId }]) {
      const told = await ask({ ...names, ...other })
      expect(told).toMatchObject({ type: 'validation-error', 'error-code': '1', 'merchant-order-id': 'inv-1' })
      expect(told['error-message']).toMatch(/^byRequestSn \(by-request-sn\) must be/)
    }
    expect(await ask({ client_orderid: 'inv-2', ...other })).toMatchObject(NO_SUCH_ORDER)
  })

  test('an order of another merchant does not exist', async () => {
    const { ask, orderId, serialNumber } = await sold()
    const names = { client_orderid: 'inv-1', orderid: orderId, 'by-request-sn': serialNumber }
    const told = await ask(names, RIVAL)
    expect(told).toMatchObject(NO_SUCH_ORDER)
    const nowhere = await ask({ ...names, orderid: '123456789012345' }, RIVAL)
    expect({ ...told, 'serial-number': '' }).toEqual({ ...nowhere, 'serial-number': '' })
  })

  test('another endpoint of the merchant knows the order too', async () => {
    const { ask } = await sold()
    expect(await ask({ client_orderid: 'inv-1' }, { ...SHOP, endpointId: '1112' })).toMatchObject({
      'end-point-id': '1111',
    })
  })
})

describe('what an order looks like', () => {
  test('[S4-30] [S4-33] [S4-41] [G4-07] [G4-08] [G13-20] [G3.1-05] approved, field by field', async () => {
    const names = { first_name: 'John', last_name: 'Smith', merchant_data: 'cart=7&vip="yes"' }
    const { gateway, ask, orderId } = await sold({ ...names, expire_year: '31', expire_month: '4' })
    await gateway.settled()
    const { 'serial-number': serialNumber, ...rest } = await ask({ client_orderid: 'inv-1' })
    expect(rest).toEqual({
      type: 'status-response',
      'merchant-order-id': 'inv-1',
      'paynet-order-id': orderId,
      'paynet-processing-date': '2030-01-01 00:00:00 UTC',
      'end-point-id': '1111',
      status: 'approved',
      'transaction-type': 'sale',
      'order-stage': 'sale_approved',
      'approval-code': orderId.slice(-6),
      amount: '10.42',
      currency: 'EUR',
      'initial-amount': '10.42',
      'card-type': 'VISA',
      bin: '444433',
      'last-four-digits': '1111',
      'cardholder-name': 'JOHN SMITH',
      'card-exp-month': '04',
      'card-exp-year': '2031',
      email: 'john.smith@gmail.com',
      phone: '+4930123456',
      'first-name': 'John',
      'last-name': 'Smith',
      'processor-tx-id': `PNTEST-${orderId}`,
      merchantdata: 'cart=7&vip="yes"',
    })
    expect(serialNumber).toMatch(/^[\da-f-]{36}$/)
  })

  test('[G5-06] [G4-07] processing at first, and fields without a value are not sent', async () => {
    const undecided = { ...simulator(), execute: () => Promise.withResolvers<Decision>().promise }
    const { ask, orderId } = await sold({}, { acquirer: undecided })
    const { 'serial-number': _, ...rest } = await ask({ client_orderid: 'inv-1' })
    expect(rest).toEqual({
      type: 'status-response',
      'merchant-order-id': 'inv-1',
      'paynet-order-id': orderId,
      'end-point-id': '1111',
      status: 'processing',
      'transaction-type': 'sale',
      amount: '0.00',
      currency: 'EUR',
      'initial-amount': '10.42',
      'card-type': 'VISA',
      bin: '444433',
      'last-four-digits': '1111',
      'cardholder-name': 'JOHN SMITH',
      'card-exp-month': '12',
      'card-exp-year': '2031',
      email: 'john.smith@gmail.com',
      phone: '+4930123456',
    })
  })

  test('[S4-41] asking again and again changes nothing but the serial number', async () => {
    const { gateway, ask } = await sold()
    await gateway.settled()
    const replies = [await ask({ client_orderid: 'inv-1' }), await ask({ client_orderid: 'inv-1' })]
    expect(new Set(replies.map((reply) => reply['serial-number'])).size).toBe(2)
    expect({ ...replies[0], 'serial-number': '' }).toEqual({ ...replies[1], 'serial-number': '' })
  })
})
