import { Test } from '@nestjs/testing'
import { PaymentsModule } from '@tallystick/nest-module'
import { saleInput, startGateway } from '@tallystick/testing'
import { OrdersService } from './orders.service'

it('books what was paid', async () => {
  const gateway = await startGateway()
  const payments = PaymentsModule.forRoot({ client: gateway.merchant, callbacks: { path: 'paid' } })
  const module = Test.createTestingModule({ imports: [payments], providers: [OrdersService] })
  const app = (await module.compile()).createNestApplication()
  await app.listen(0, '127.0.0.1')
  const orders = app.get(OrdersService)
  const sale = saleInput({ serverCallbackUrl: `${await app.getUrl()}/paid` })
  await orders.client.sale(sale)
  await gateway.settled()
  await Promise.all([app.close(), gateway.close()])
  expect(orders.paid).toEqual([sale.clientOrderId])
})
