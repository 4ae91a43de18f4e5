import type { DatabaseSync } from 'node:sqlite'
import { Injectable, Logger } from '@nestjs/common'
import { type JournaledOutcome, OnPaymentOutcome } from '@tallystick/nest-module'
import { settle } from '@tallystick/shop-kit'

/** Is called with the outcome of every payment, and with what happens to it later. */
@Injectable()
export class Bookkeeping {
  readonly #logger = new Logger('books')

  /** Writes the shop's rows in the transaction of the journal: exactly once, whatever crashes. */
  @OnPaymentOutcome()
  @OnPaymentOutcome({ kind: 'notice' })
  record({ outcome, transaction }: JournaledOutcome<DatabaseSync>): void {
    const { businessKey, operation, status } = settle({ outcome, transaction }, Date.now())
    this.#logger.log(`${businessKey}: ${operation} ${status}`)
  }
}
