import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { PaymentsModule } from '@tallystick/nest-module'

const payments = PaymentsModule.forRoot({
  client: {
    baseUrl: 'https://gateway.example.com/paynet',
    login: 'shop',
    controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20',
    endpointId: '253',
  },
  callbacks: { path: 'payments', onOutcome: ({ clientOrderId }) => console.log(clientOrderId) },
})
void (async () => {
  const app = await NestFactory.create(payments, new FastifyAdapter(), { logger: false })
  await app.listen(0, '127.0.0.1')
  const { status } = await fetch(`${await app.getUrl()}/payments`)
  await app.close()
  if (status !== 400) throw new Error(`an empty callback was answered with ${status}`)
})()
