import type { StoredOrder } from '@tallystick/gateway'
import { type Deed, deedsIn } from '../bank/journal.ts'
import type { Step } from './merchant.ts'
import type { Request } from './network.ts'
import type { World } from './world.ts'

/** What the bank has carried out for a step at an order: no two steps of an errand ask for the same. */
export function carriedOut(
  step: Step,
  order: StoredOrder | undefined,
  { book, wire }: Pick<World, 'book' | 'wire'>,
): readonly Deed[] {
  const deeds = deedsIn(book)
  const made = order?.operations.filter(({ serialNumber }) => isAskedBy(step, wire.askedBy(serialNumber))) ?? []
  return made.flatMap(({ id }) => deeds.get(id) ?? []).filter(({ decision }) => decision.status === 'approved')
}

function isAskedBy({ operation, amount }: Step, request: Request | undefined): boolean {
  return request?.path === PATHS[operation] && request.amount === amount
}

const PATHS: Readonly<Record<Step['operation'], string>> = {
  sale: 'sale',
  preauth: 'preauth',
  payout: 'payout',
  payoutCheck: 'payout-check',
  capture: 'capture',
  void: 'void',
  return: 'return',
  payoutPay: 'payout-pay',
  createCardRef: 'create-card-ref',
  makeRebill: 'make-rebill',
}
