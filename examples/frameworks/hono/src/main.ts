import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { createShop } from './shop.ts'

const shop = createShop()
await shop.payments.ready()

const app = new Hono()
// First: before csrf(), secureHeaders(), sessions and anything that reads bodies. These requests come from other sites.
app.all('/payments/*', ({ req }) => shop.payments.fetch(req.raw))

app.use(csrf())
app.get('/', ({ redirect }) => redirect(`/invoices/${randomUUID()}`))
app.get('/invoices/:number', async ({ req, html }) => {
  const { text, payAt } = await shop.page(req.param('number'), req.header('accept-language'))
  const button = payAt && `<form method="post" action="${payAt}"><button>Pay</button></form>`
  return html(`<p>${text}</p>${button ?? ''}`)
})
app.post('/invoices/:number/pay', async (context) => {
  // Behind a proxy, take the header that your proxy sets.
  const ip = getConnInfo(context).remote.address ?? ''
  const payment = await shop.pay(context.req.param('number'), ip)
  if (payment.show === 'redirect') return context.redirect(payment.location, 303)
  return context.text(payment.text(context.req.header('accept-language')))
})

const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' })
process.once('SIGTERM', () => server.close(() => void shop.close()))
