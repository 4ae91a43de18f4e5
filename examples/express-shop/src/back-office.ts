import {
  askGateway,
  changeOrder,
  isBackOfficeAction,
  type Pages,
  rebill,
  recordRefusals,
  refuseStrangers,
  type ShopOrder,
  seeOther,
  storeCard,
  type Till,
} from '@tallystick/shop-kit'
import express, { type Request, type Response, Router } from 'express'
import { guarded } from './guarded.ts'
import { send } from './send.ts'

/** How many orders the first page lists. */
const LATEST = 50

/** Where the staff of the shop, and nobody else, see its orders, and capture, return, void and rebill them. */
export function backOffice(till: Till, pages: Pages, password: string): Router {
  const router = Router()
  router.use(guarded(pages, (request) => refuseStrangers(request, password)))
  const { rows } = till.database

  router.get('/', (_request, response) => send(response, pages.backOffice(rows.orders(LATEST), rows.ledger(LATEST))))

  router.get('/orders/:id', async (request, response) => {
    await recordRefusals(till, request.params.id)
    const order = ordered(request, response)
    if (order !== undefined) send(response, pages.backOfficeOrder(order, await askGateway(till, order)))
  })

  router.use(express.urlencoded({ extended: false }))

  router.post('/orders/:id/store-card', async (request, response) => {
    const order = ordered(request, response)
    if (order === undefined) return
    const stored = await storeCard(till, order)
    send(response, stored.ok ? seeOther(pageOf(order.id)) : pages.refused(stored))
  })

  router.post('/orders/:id/rebill', async (request, response) => {
    const order = ordered(request, response)
    if (order === undefined) return
    const rebilled = await rebill(till, order, String(request.body?.period))
    send(response, rebilled.ok ? seeOther(pageOf(rebilled.shopOrder)) : pages.refused(rebilled))
  })

  router.post('/orders/:id/:action', async (request, response) => {
    const order = ordered(request, response)
    const { action } = request.params
    if (order === undefined) return
    if (!isBackOfficeAction(action)) return send(response, pages.problem(404, 'There is no such action'))
    const { number, amount } = request.body ?? {}
    const changed = await changeOrder(till, order, { action, number: Number(number), amount: amount && String(amount) })
    send(response, changed.ok ? seeOther(pageOf(order.id)) : pages.refused(changed))
  })

  /** The order in the path. If there is none, answers with 404. */
  function ordered({ params }: Request<{ id: string }>, response: Response): ShopOrder | undefined {
    const order = rows.order(params.id)
    if (order === undefined) send(response, pages.problem(404, 'There is no such order'))
    return order
  }

  return router
}

function pageOf(id: string): string {
  return `/back-office/orders/${id}`
}
