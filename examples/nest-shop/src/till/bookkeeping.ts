import type { DatabaseSync } from 'node:sqlite'
import { Injectable, Logger } from '@nestjs/common'
import { type JournaledOutcome, OnPaymentOutcome } from '@tallystick/nest-module'
import { type LedgerRow, noteLater, settle } from '@tallystick/shop-kit'

/** Is called with the outcome of every payment, and with what happens to it later. */
@Injectable()
export class Bookkeeping {
  readonly #logger = new Logger('books')

  /** Writes the shop's rows in the transaction of the journal: exactly once, whatever crashes. */
  @OnPaymentOutcome()
  record({ outcome, transaction }: JournaledOutcome<DatabaseSync>): void {
    this.#log(settle(outcome, transaction, Date.now()))
  }

  @OnPaymentOutcome({ kind: 'notice' })
  recordLater({ outcome, transaction }: JournaledOutcome<DatabaseSync>): void {
    this.#log(noteLater(outcome, transaction, Date.now()))
  }

  #log({ businessKey, operation, status }: LedgerRow): void {
    this.#logger.log(`${businessKey}: ${operation} ${status}`)
  }
}
