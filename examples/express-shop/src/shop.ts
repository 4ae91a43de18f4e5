import { fileURLToPath } from 'node:url'
import { createCallbackHandler, type PaymentClient } from '@tallystick/client'
import { paymentCallbacks } from '@tallystick/express-adapter'
import { Eta } from 'eta'
import express, { type Express } from 'express'
import { Orders } from './orders.ts'
import { pay } from './pay.ts'
import { products } from './products.ts'

export interface ShopOptions {
  readonly client: PaymentClient
  /** Where the gateway reaches this shop: `https://shop.example.com`. */
  readonly publicUrl: string
  /** Hears what happens, a line at a time. */
  readonly log?: (line: string) => void
}

export interface Shop {
  readonly app: Express
  readonly orders: Orders
}

const CALLBACK_PATH = '/payments/callback'
const pages = new Eta({ views: fileURLToPath(new URL('../views', import.meta.url)) })

export function createShop({ client, publicUrl, log = () => {} }: ShopOptions): Shop {
  const orders = new Orders()
  const app = express().disable('x-powered-by')
  const handleCallback = createCallbackHandler({
    client,
    onOutcome: (outcome) => {
      const { status, orderId, reply } = outcome
      log(`a callback came for order ${orderId}; its status says: ${status}, ${reply.amount} ${reply.currency}`)
      orders.settle(outcome)
    },
  })

  app.all(CALLBACK_PATH, paymentCallbacks(handleCallback))

  app.get('/', (_request, response) => {
    response.send(pages.render('./catalogue', { products, orders: orders.all() }))
  })

  app.post('/orders', express.urlencoded({ extended: false }), async (request, response) => {
    const form: Form = request.body ?? {}
    const product = products.find(({ id }) => id === form['product'])
    if (product === undefined) {
      response.status(404).send(pages.render('./problem', { title: 'There is no such product.' }))
      return
    }
    const order = orders.open(product)
    const result = await pay(client, order, {
      ...cardOf(form),
      customerIp: request.ip ?? '127.0.0.1',
      serverCallbackUrl: publicUrl + CALLBACK_PATH,
    })
    log(`the sale of the client ends: ${result.outcome}`)
    if (result.refused !== undefined) orders.refuse(order, result.refused)
    response.redirect(303, `/orders/${order.id}`)
  })

  app.get('/orders/:id', (request, response) => {
    const order = orders.find(request.params.id)
    if (order === undefined) response.status(404).send(pages.render('./problem', { title: 'There is no such order.' }))
    else response.send(pages.render('./order', { order }))
  })

  return { app, orders }
}

/** What the browser posts; a field may be missing. */
type Form = Readonly<Record<string, string | undefined>>

/** The card goes from the form to the gateway and is kept nowhere. */
function cardOf({ cardNumber = '', cardPrintedName = '', expireMonth = '', expireYear = '', cvv2 = '' }: Form) {
  return { cardNumber, cardPrintedName, expireMonth, expireYear, cvv2 }
}
