import { Injectable } from '@nestjs/common'
import type { PaymentClient } from '@tallystick/client'
import { type ConfirmedOutcome, InjectPayments, OnPaymentOutcome } from '@tallystick/nest-module'

@Injectable()
export class OrdersService {
  readonly paid: string[] = []
  constructor(@InjectPayments() readonly client: PaymentClient) {}

  @OnPaymentOutcome('approved')
  book({ outcome }: ConfirmedOutcome): void {
    this.paid.push(outcome.clientOrderId)
  }
}
