import { randomUUID } from 'node:crypto'
import { Controller, Get, Header, Headers, Injectable, Ip, Module, Param, Post, Redirect, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { OnNotice, OnPaid, PaymentsModule } from '@tallystick/nest-module'
import { type NoticeEvent, type PaidEvent, Payments } from '@tallystick/payments'
import { book, database, type Transaction } from './database.js'

const setting = (name: string) => process.env[name] ?? ''
const keyOf = (invoice: string) => `invoice ${invoice}`

@Injectable()
class Invoices {
  /** Injected by the metadata that the compiler emits: `Payments` is imported as a value, not as a type. */
  constructor(private readonly payments: Payments) {}

  /** The button. Pressing it twice makes one payment. */
  async pay(invoice: string, ip: string) {
    const where = { address1: 'Main st 1', city: 'Berlin', zipCode: '10115', country: 'DE' }
    const customer = { email: 'a@example.com', phone: '+49301234567', ...where, ip }
    const order = { amount: '10.42', currency: 'EUR', description: 'Tea', customer } // amounts are text, never numbers
    return await this.payments.pay(keyOf(invoice), order)
  }

  find(invoice: string) {
    return this.payments.find(keyOf(invoice))
  }

  /** Exactly once, whatever crashes. */
  @OnPaid()
  async book({ payment, transaction }: PaidEvent<Transaction>): Promise<void> {
    await book(transaction, payment)
  }

  /** Charged back, refunded elsewhere, or approved after a decline. Look at each. */
  @OnNotice()
  look({ notice }: NoticeEvent<Transaction>): void {
    console.error(notice.kind, notice.key, notice.amount)
  }
}

/** What Express and Fastify have in common. */
interface Reply {
  status(code: number): Reply
  header(name: string, value: string): Reply
}

@Controller()
class ShopController {
  constructor(private readonly invoices: Invoices) {}

  @Get()
  @Redirect()
  front() {
    return { url: `/invoices/${randomUUID()}` }
  }

  @Get('invoices/:number')
  @Header('content-type', 'text/html; charset=utf-8')
  async page(@Param('number') number: string, @Headers('accept-language') language?: string): Promise<string> {
    const payment = await this.invoices.find(number)
    const canBePaid = payment === undefined || ['redirect', 'declined', 'try-again'].includes(payment.show)
    const form = `<form method="post" action="/invoices/${encodeURIComponent(number)}/pay"><button>Pay</button></form>`
    return `<p>${payment?.text(language) ?? 'Tea: 10.42 EUR'}</p>${canBePaid ? form : ''}`
  }

  @Post('invoices/:number/pay')
  async pay(
    @Param('number') number: string,
    @Ip() ip: string, // behind a proxy, have your platform trust it
    @Headers('accept-language') language: string | undefined,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<string> {
    const payment = await this.invoices.pay(number, ip)
    reply.status(payment.show === 'redirect' ? 303 : 200)
    if (payment.show === 'redirect') reply.header('location', payment.location)
    return payment.text(language)
  }
}

@Module({
  imports: [
    PaymentsModule.forRootAsync({
      path: 'payments', // the routes are payments/callback and payments/return
      useFactory: () => ({
        gateway: {
          baseUrl: setting('TALLYSTICK_BASE_URL'),
          login: setting('TALLYSTICK_LOGIN'),
          controlKey: setting('TALLYSTICK_CONTROL_KEY'),
          endpointId: setting('TALLYSTICK_ENDPOINT'),
        },
        database,
        shopUrl: setting('SHOP_URL'),
        returnTo: ({ key }) => `/invoices/${key.slice(keyOf('').length)}`,
      }),
    }),
  ],
  controllers: [ShopController],
  providers: [Invoices],
})
class AppModule {}

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule)
  app.enableShutdownHooks()
  await app.listen(setting('PORT'), '127.0.0.1')
}
void bootstrap()
