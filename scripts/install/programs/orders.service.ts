import type { DatabaseSync } from 'node:sqlite'
import { Injectable } from '@nestjs/common'
import { OnPaid } from '@tallystick/nest-module'
// biome-ignore lint/style/useImportType: Nest injects by the class
import { type PaidEvent, Payments } from '@tallystick/payments'

@Injectable()
export class OrdersService {
  constructor(readonly payments: Payments) {}

  @OnPaid()
  book({ payment, transaction }: PaidEvent<DatabaseSync>): void {
    transaction.prepare('insert into paid values (?, ?)').run(payment.key, payment.amount)
  }
}
