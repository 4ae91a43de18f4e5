import { randomUUID } from 'node:crypto'
import express from 'express'
import { createShop } from './shop.ts'

const shop = createShop()
await shop.payments.ready()

const app = express()
// First: before sessions, form tokens and parsers of bodies. These requests come from other sites.
app.use('/payments', shop.payments.express())

app.get('/', (_request, response) => response.redirect(`/invoices/${randomUUID()}`))
app.get('/invoices/:number', async ({ params, headers }, response) => {
  const { text, payAt } = await shop.page(params.number, headers['accept-language'])
  const button = payAt && `<form method="post" action="${payAt}"><button>Pay</button></form>`
  response.send(`<p>${text}</p>${button ?? ''}`)
})
app.post('/invoices/:number/pay', async ({ params, headers, ip = '' }, response) => {
  const payment = await shop.pay(params.number, ip) // behind a proxy, set 'trust proxy'
  if (payment.show === 'redirect') return response.redirect(303, payment.location)
  response.type('text').send(payment.text(headers['accept-language']))
})

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1')
process.once('SIGTERM', () => server.close(() => void shop.close()))
