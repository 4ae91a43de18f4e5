import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Test } from '@nestjs/testing'
import { InvalidInputError } from '@tallystick/core'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { PaymentsModule } from '@tallystick/nest-module'
import { buildInput, cards, startGateway } from '@tallystick/testing'
import '@tallystick/testing/jest'
import { OrdersService } from './orders.service'

const folder = mkdtempSync(join(tmpdir(), 'orders-'))
const where = { address1: 'Main st 1', city: 'Berlin', zipCode: '10115', country: 'DE' }
const customer = { email: 'a@example.com', phone: '+49301234567', ...where, ip: '203.0.113.7' }
const order = { amount: '10.42', currency: 'EUR', description: 'Tea', customer }

it('books what was paid, once', async () => {
  const database = join(folder, 'shop.db')
  const gateway = await startGateway()
  const address = { url: '' }
  const payments = PaymentsModule.forRoot({
    gateway: gateway.merchant,
    database,
    shopUrl: () => address.url,
    onNotice: 'ignore',
  })
  const module = Test.createTestingModule({ imports: [payments], providers: [OrdersService] })
  const app = (await module.compile()).createNestApplication()
  await app.listen(0, '127.0.0.1')
  address.url = await app.getUrl()
  const shop = new DatabaseSync(database)
  shop.exec('create table paid (key text primary key, amount text)')
  const { payments: service } = app.get(OrdersService)
  const pressed = await Promise.all([1, 2].map(() => service.pay('invoice 77', order)))
  expect(new Set(pressed.map(({ location }) => location)).size).toBe(1)
  await gateway.payOnPages(pressed[0]?.location ?? '', cards.approved)
  await gateway.settled()
  await service.journal.settled()
  expect(await gateway.orders()).toHaveBeenChargedOnce({ amount: '10.42', currency: 'EUR' })
  await Promise.all([app.close(), gateway.close()])
  expect(shop.prepare('select * from paid').all()).toMatchObject([{ key: 'invoice 77', amount: '10.42' }])
  shop.close()
})

it('knows the errors of the client by their class', async () => {
  const gateway = await startGateway({ socket: false })
  const result = await gateway.client().sale({ ...buildInput('sale'), amount: 'much' })
  await gateway.close()
  expect(result.outcome === 'notSent' && result.error).toBeInstanceOf(InvalidInputError)
})

it('opens a gateway on SQLite', async () => {
  await expect(sqliteStore({ file: join(folder, 'gateway.db') }).close()).resolves.toBeUndefined()
})
