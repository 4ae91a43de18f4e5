import { browserReturn, paymentCallbacks } from '@tallystick/express-adapter'
import type { ReturnView } from '@tallystick/journal'
import { CALLBACK_PATH, RETURN_PATH, seeOther, type Till } from '@tallystick/shop-kit'
import { Router } from 'express'

/** The routes for the gateway's callbacks and for the browsers that return from the gateway. */
export function payments({ client, journal, database }: Till): Router {
  const router = Router()
  // A callback is stored, acknowledged, and confirmed by a status check afterwards. Then the journal calls its handler.
  router.use(CALLBACK_PATH, paymentCallbacks({ client, inbox: journal.inbox }))
  // What a browser brings proves nothing. It only names an order, and the page of that order shows its state.
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
