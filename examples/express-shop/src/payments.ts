import { browserReturn, paymentCallbacks } from '@tallystick/express-adapter'
import type { ReturnView } from '@tallystick/journal'
import { CALLBACK_PATH, RETURN_PATH, seeOther, type Till } from '@tallystick/shop-kit'
import { Router } from 'express'

/** Where the gateway, and the browsers that it sends back, reach the shop. */
export function payments({ client, journal, database }: Till): Router {
  const router = Router()
  // Kept, acknowledged, and confirmed by status afterwards: then the journal's handler is told.
  router.use(CALLBACK_PATH, paymentCallbacks({ client, inbox: journal.inbox }))
  // What a browser brings proves nothing. It names an order; the page of that order says how it stands.
  const comeBack = browserReturn({
    journal,
    show: ({ intent }: ReturnView) => {
      const order = intent && database.rows.orderOfClient(intent.clientOrderId)
      return seeOther(order === undefined ? '/' : `/orders/${order.id}`)
    },
  })
  router.use(RETURN_PATH, comeBack)
  return router
}
