import { createPaymentClient, type Exchange, type PaymentClient, type Transport } from '@tallystick/client'

/**
 * A client whose gateway answers every request with its client order id and the fields of `reply` by then, or with the exchange
 * `instead` if any.
 */
export function decidingClient(
  reply: () => Readonly<Record<string, string>> = () => ({}),
  instead: () => Exchange | undefined = () => undefined,
): PaymentClient {
  const transport: Transport = {
    send: async ({ body }) => {
      const asked = { 'merchant-order-id': new URLSearchParams(body).get('client_orderid') }
      return (
        instead() ?? {
          kind: 'replied',
          httpStatus: 200,
          mediaType: 'application/json',
          body: JSON.stringify({ type: 'status-response', ...asked, ...reply() }),
        }
      )
    },
    close: async () => {},
  }
  return createPaymentClient({
    baseUrl: 'http://127.0.0.1:1/paynet',
    login: 'test-login',
    controlKey: 'a control key of this test',
    endpointId: '253',
    transport,
  })
}
