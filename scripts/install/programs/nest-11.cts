import { NestFactory } from '@nestjs/core'
import type { PaymentClient } from '@tallystick/client'
import { InjectPayments, OnPaymentOutcome, PaymentsModule } from '@tallystick/nest-module'
import { saleInput, startGateway } from '@tallystick/testing'

class Shop {
  heard = 0
  constructor(@InjectPayments() readonly payments: PaymentClient) {}
  @OnPaymentOutcome('approved') ship() {
    this.heard++
  }
}
void (async () => {
  const gateway = await startGateway()
  const payments = PaymentsModule.forRoot({ client: gateway.merchant, callbacks: { path: 'paid' } })
  const app = await NestFactory.create({ module: class {}, imports: [payments], providers: [Shop] }, { logger: false })
  await app.listen(0, '127.0.0.1')
  await app.get(Shop).payments.sale(saleInput({ serverCallbackUrl: `${await app.getUrl()}/paid` }))
  await gateway.settled()
  await Promise.all([app.close(), gateway.close()])
  if (app.get(Shop).heard !== 1) throw new Error(`the shop was notified of its payment ${app.get(Shop).heard} times`)
})()
