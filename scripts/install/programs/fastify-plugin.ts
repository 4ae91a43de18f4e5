import { createPaymentClient } from '@tallystick/client'
import { paymentCallbacks } from '@tallystick/fastify-plugin'
import fastify from 'fastify'

const client = createPaymentClient({
  baseUrl: 'https://gateway.example.com/paynet',
  login: 'shop',
  controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20',
  endpointId: '253',
})
void (async () => {
  const app = fastify()
  app.register(paymentCallbacks({ client, onOutcome: () => {}, onNotice: 'ignore' }), { prefix: '/payments' })
  const { statusCode } = await app.inject({ method: 'POST', url: '/payments' })
  await app.close()
  await client.close()
  if (statusCode !== 400) throw new Error(`an empty callback was answered with ${statusCode}`)
})()
