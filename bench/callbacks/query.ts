import { callbackControlTerms, serializeForm } from '@tallystick/core'
import { writeCallback } from '@tallystick/core/internal'
import { signControl } from '@tallystick/signing'

export const ORDERS = 2000

export const clientOrderIdOf = (run: string, index: number) => `${run}${index}z`
export const orderIdOf = (index: number) => String(100_000_000_000_000 + index)

/** The query of an approved sale's callback, as the gateway sends it. */
export function callbackQuery(run: string, index: number, controlKey: string): string {
  const callback = {
    status: 'approved',
    orderId: orderIdOf(index),
    clientOrderId: clientOrderIdOf(run, index),
    type: 'sale',
    amount: '10.42',
    currency: 'USD',
    descriptor: 'test-descriptor',
    gatePartialReversal: 'enabled',
    processorTxId: `PNTEST-${orderIdOf(index)}`,
    approvalCode: '123456',
    name: 'JOHN SMITH',
    email: 'john.smith@example.com',
    cardType: 'VISA',
    bin: '444455',
    lastFourDigits: '1111',
  }
  const control = signControl({ terms: callbackControlTerms(callback), key: controlKey })
  return serializeForm(writeCallback({ ...callback, control }))
}
