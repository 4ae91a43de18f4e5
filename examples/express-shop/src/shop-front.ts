import { checkout, type Pages, products, recordRefusals, seeOther, type Till } from '@tallystick/shop-kit'
import express, { Router } from 'express'
import { send } from './send.ts'

/** What a customer sees: the catalogue, and the page of an order. */
export function shopFront(till: Till, pages: Pages): Router {
  const router = Router()

  router.get('/', (_request, response) => send(response, pages.catalogue()))
  router.get('/style.css', (_request, response) => send(response, pages.style()))
  router.get('/tally.svg', (_request, response) => send(response, pages.icon()))

  router.post('/orders', express.urlencoded({ extended: false }), async (request, response) => {
    const product = products.find(({ id }) => id === request.body?.product)
    if (product === undefined) return send(response, pages.problem(404, 'There is no such product'))
    const { shopOrder, payUrl } = await checkout(till, product, request.ip ?? '127.0.0.1')
    send(response, seeOther(payUrl ?? `/orders/${shopOrder}`))
  })

  router.get('/orders/:id', async (request, response) => {
    await recordRefusals(till, request.params.id)
    const order = till.database.rows.order(request.params.id)
    send(response, order === undefined ? pages.problem(404, 'There is no such order') : pages.order(order))
  })

  return router
}
