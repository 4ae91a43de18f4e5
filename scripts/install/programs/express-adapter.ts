import type { AddressInfo } from 'node:net'
import { createPaymentClient } from '@tallystick/client'
import { paymentCallbacks } from '@tallystick/express-adapter'
import express from 'express'

const client = createPaymentClient({
  baseUrl: 'https://gateway.example.com/paynet',
  login: 'shop',
  controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20',
  endpointId: '253',
})
const app = express()
app.use('/payments', paymentCallbacks({ client, onOutcome: () => {}, onNotice: 'ignore' }))
const server = app.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo
  const { status } = await fetch(`http://127.0.0.1:${port}/payments`)
  server.close()
  await client.close()
  if (status !== 400) throw new Error(`an empty callback was answered with ${status}`)
})
