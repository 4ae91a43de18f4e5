import { type Exchange, type Transport, undiciTransport } from '@tallystick/client'
import { saleInput, startGateway } from '@tallystick/testing'
import { expect, test } from 'vitest'

const PAGE: Exchange = { kind: 'replied', httpStatus: 403, mediaType: 'text/html', body: '<h1>Forbidden</h1>' }

/** A proxy that passes every request on, and replaces each reply by its own page while it is shut. */
function proxy() {
  const transport = undiciTransport()
  const state = { isShut: true }
  const shut: Transport = {
    send: async (request, options) => {
      const exchange = await transport.send(request, options)
      return state.isShut ? PAGE : exchange
    },
    close: () => transport.close(),
  }
  return { state, transport: shut }
}

test('A sale that a proxy refuses after the gateway has acted is unknown, and its status shows what became of it', async () => {
  const { state, transport } = proxy()
  const gateway = await startGateway()
  const client = gateway.client({ transport, readAttempts: 1 })
  const result = await client.sale(saleInput())
  expect(result).toMatchObject({ outcome: 'unknown', error: { code: 'NO_REPLY', httpStatus: 403, isPage: true } })
  await gateway.settled()
  state.isShut = false
  if (result.outcome !== 'unknown') throw new Error(result.outcome)
  expect(await result.resolve()).toMatchObject({ status: 'approved' })
  await client.close()
  await gateway.close()
})
