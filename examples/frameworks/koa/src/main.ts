import { randomUUID } from 'node:crypto'
import Router from '@koa/router'
import { type Handler, readInbound } from '@tallystick/client'
import Koa, { type Context } from 'koa'
import { createShop } from './shop.ts'

const shop = createShop()
await shop.payments.ready()

/** Koa is Node's own request and response, so the handler reads the request itself. */
const mount = (handle: Handler) => async (context: Context) => {
  const { status, headers, body } = await handle(await readInbound(context.req))
  context.status = status
  context.set({ ...headers })
  context.body = body
}

const router = new Router()
// First: before sessions, tokens and parsers of bodies. These requests come from other sites.
router.all('/payments/callback', mount(shop.payments.routes.callback))
router.all('/payments/return', mount(shop.payments.routes.return))

router.get('/', (context) => context.redirect(`/invoices/${randomUUID()}`))
router.get('/invoices/:number', async (context) => {
  const { text, payAt } = await shop.page(context.params['number'] ?? '', context.get('accept-language'))
  const button = payAt && `<form method="post" action="${payAt}"><button>Pay</button></form>`
  context.body = `<p>${text}</p>${button ?? ''}`
})
router.post('/invoices/:number/pay', async (context) => {
  const payment = await shop.pay(context.params['number'] ?? '', context.ip) // behind a proxy, set app.proxy
  context.status = payment.show === 'redirect' ? 303 : 200
  if (payment.show === 'redirect') context.redirect(payment.location)
  else context.body = payment.text(context.get('accept-language'))
})

const app = new Koa()
app.use(router.routes())
// Koa logs what is thrown, and answers with its status: a HandlerError has one, and the gateway calls again.
const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1')
process.once('SIGTERM', () => server.close(() => void shop.close()))
