import { randomUUID } from 'node:crypto'
import { paymentRoutes } from '@tallystick/fastify-plugin'
import fastify from 'fastify'
import { createShop } from './shop.ts'

type Invoice = { Params: { number: string } }

const shop = createShop()
await shop.payments.ready()

const app = fastify({ forceCloseConnections: true })
// Outside of hooks that want a session or a form token. These requests come from other sites.
app.register(paymentRoutes(shop.payments), { prefix: '/payments' })
// The button sends an empty form.
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
  done(null),
)

app.get('/', (_request, reply) => reply.redirect(`/invoices/${randomUUID()}`))
app.get<Invoice>('/invoices/:number', async ({ params, headers }, reply) => {
  const { text, payAt } = await shop.page(params.number, headers['accept-language'])
  const button = payAt && `<form method="post" action="${payAt}"><button>Pay</button></form>`
  return reply.type('text/html; charset=utf-8').send(`<p>${text}</p>${button ?? ''}`)
})
app.post<Invoice>('/invoices/:number/pay', async ({ params, headers, ip }, reply) => {
  const payment = await shop.pay(params.number, ip) // behind a proxy, set trustProxy
  if (payment.show === 'redirect') return reply.redirect(payment.location, 303)
  return reply.send(payment.text(headers['accept-language']))
})

await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' })
process.once('SIGTERM', () => void app.close().then(() => shop.close()))
