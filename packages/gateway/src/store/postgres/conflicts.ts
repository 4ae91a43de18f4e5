import type { StoredOrder } from '../../orders/order.ts'
import type { RecurringPayment } from '../recurring-payment.ts'
import type { Conflict, OrderChange } from '../store.ts'
import type { Answer, Statement } from './statement.ts'
import type { Statements } from './statements.ts'
import type { Step } from './transaction.ts'

/** The questions that find the conflict to report. */
export interface ConflictQuestions {
  /** Why the order cannot be written: the order itself, or one of its names, conflicts. */
  ofOrder(change: OrderChange): Step<Conflict | undefined>
  ofRecurring(payment: RecurringPayment | undefined): Step<Conflict | undefined>
  /** Whether another order has the page token of this one: not a conflict, but a fault. */
  isPageTaken(order: StoredOrder | undefined): Step<boolean>
}

export function conflictQuestions(
  schema: string,
  { conflictingRecurring }: Pick<Statements, 'conflictingRecurring'>,
): ConflictQuestions {
  const ask = (name: string, condition: string, ...values: readonly (string | null)[]): Statement => {
    return { name, text: `SELECT version FROM ${schema}.orders WHERE ${condition} LIMIT 1`, values }
  }
  const byId = ({ orderId }: StoredOrder) => ask('version_of_order', 'order_id = $1', orderId)

  /** Asks about each name at once. The first that is taken counts. */
  function* ofNew({ order, repeatsAllowed = false }: OrderChange): Step<Conflict | undefined> {
    const { login, clientOrderId, signedAs = null } = order
    const [sameId, sameName, sameControl] = yield [
      byId(order),
      ask('order_named', 'login = $1 AND client_order_id = $2', login, clientOrderId),
      ask('order_signed', 'signed_as = $1 AND login = $2', signedAs, login),
    ]
    if (isThere(sameId)) return 'order'
    if (isThere(sameName) && !repeatsAllowed) return 'client-order-id'
    return isThere(sameControl) ? 'control' : undefined
  }

  return {
    *ofOrder(change) {
      if (change.basedOn === 'nothing') return yield* ofNew(change)
      const [found] = yield [byId(change.order)]
      return Number(found?.rows[0]?.['version']) === change.basedOn ? undefined : 'order'
    },
    *ofRecurring(payment) {
      if (payment === undefined) return undefined
      const [found] = yield [conflictingRecurring(payment)]
      return isThere(found) ? 'recurring-payment' : undefined
    },
    *isPageTaken(order) {
      const token = order?.details.pages?.token
      if (order === undefined || token === undefined) return false
      const [found] = yield [ask('order_of_page', 'page_token = $1 AND order_id <> $2', token, order.orderId)]
      return isThere(found)
    },
  }
}

function isThere(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.rowCount > 0
}
