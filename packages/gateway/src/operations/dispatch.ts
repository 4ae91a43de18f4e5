import type { OperationKey } from '@tallystick/core'
import type { RequestValues, RowsKey } from '@tallystick/core/internal'
import type { Processor, RequestContext } from '../context.ts'
import type { Answer } from '../http/reply.ts'
import { cardReferences } from './cards.ts'
import { modifications } from './modifications.ts'
import { payments } from './payments.ts'
import { processProcessRecurringPayment } from './process-recurring.ts'
import { processCreateRecurringPayment } from './recurring.ts'
import { processStatus } from './status.ts'
import { recurringPayments } from './update-recurring.ts'

/** The operations of one request each; each row of the others is one of these. */
export type SingleKey = Exclude<OperationKey, RowsKey>

/** The processor of each. */
const processors: { readonly [K in SingleKey]: Processor<K> } = {
  ...payments,
  ...modifications,
  ...cardReferences,
  ...recurringPayments,
  status: processStatus,
  createRecurringPayment: processCreateRecurringPayment,
  processRecurringPayment: processProcessRecurringPayment,
}

export function processRequest<K extends SingleKey>(
  key: K,
  request: RequestValues<K>,
  context: RequestContext,
): Promise<Answer> {
  const processor: Processor<K> = processors[key]
  return processor(request, context)
}
