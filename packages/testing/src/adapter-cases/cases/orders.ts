import type { Pair } from '@tallystick/core'
import type { CaseRequest } from '../adapter-case.ts'

/** The fields of a callback of an order. Names and their spelling: rules G6-02 and G6-07 of `spec/requirements`. */
export function noticeOf(clientOrderId: string, status = 'approved'): readonly Pair[] {
  return [
    ['status', status],
    ['orderid', '123456789012345'],
    ['client_orderid', clientOrderId],
    ['merchant_order', clientOrderId],
    ['type', 'sale'],
    ['amount', '10.42'],
    ['currency', 'EUR'],
    ['approval-code', '242805'],
  ]
}

/** A callback of the order `inv-a`, signed by its shop, by GET. */
export const byGet: CaseRequest = { to: 'callback', method: 'GET', form: noticeOf('inv-a'), signed: 'by-a' }

/** The same by POST. */
export const byPost: CaseRequest = { ...byGet, method: 'POST' }

export const OK: readonly number[] = [200]
export const MALFORMED: readonly number[] = [400]
export const FORGED: readonly number[] = [403]
