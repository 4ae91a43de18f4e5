import { Logger } from '@nestjs/common'
import type { PaymentClient } from '@tallystick/client'
import { createJournal, type ReturnView, sqliteJournalStore } from '@tallystick/journal'
import { type OutcomeListener, PaymentsModule } from '@tallystick/nest-module'
import { CALLBACK_PATH, RETURN_PATH, seeOther } from '@tallystick/shop-kit'
import { FromAnywhere } from './guards.ts'
import { type Setup, SHOP_SETUP } from './setup.module.ts'

const logger = new Logger('journal')

/** The client, the journal in the shop's own SQLite file, and the routes for callbacks and returning browsers. */
export const payments = PaymentsModule.forRootAsync({
  // Both come from other sites, so the shop's guard must let them pass. They prove nothing by themselves.
  callbacks: { path: CALLBACK_PATH, decorators: [FromAnywhere()] },
  browserReturn: { path: RETURN_PATH, decorators: [FromAnywhere()] },
  inject: [SHOP_SETUP],
  useFactory: ({ merchant, database }: Setup) => ({
    client: merchant,
    journal: (client: PaymentClient, handler: OutcomeListener) =>
      createJournal({
        client,
        handler,
        onNotice: handler,
        store: sqliteJournalStore({ file: database.file }),
        onEvent: (event) => logger.log(event.type),
        // This gateway answers the repeat of a card reference with the first result.
        repeatsGetFirstAnswer: true,
      }),
    browserReturn: {
      // What a browser brings proves nothing. It only names an order, and the page of that order shows its state.
      show: ({ intent }: ReturnView) => {
        const order = intent && database.rows.orderOfClient(intent.clientOrderId)
        return seeOther(order === undefined ? '/' : `/orders/${order.id}`)
      },
    },
  }),
})
