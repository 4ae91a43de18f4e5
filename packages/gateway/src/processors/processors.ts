import { GATEWAY_CODES, type OperationKey, type RequestValues } from '@tallystick/core'
import type { Answer } from '../http/answer.ts'
import { refusal } from '../http/answer.ts'
import type { ProcessContext, Processor } from './processor.ts'
import { processSale } from './sale.ts'
import { processStatus } from './status.ts'

/** Which operations this gateway carries out. The others are verified and validated, then refused. */
const processors: { readonly [K in OperationKey]?: Processor<K> } = {
  sale: processSale,
  status: processStatus,
}

export async function processRequest<K extends OperationKey>(
  key: K,
  request: RequestValues<K>,
  context: ProcessContext,
): Promise<Answer> {
  const processor: Processor<K> | undefined = processors[key]
  return processor === undefined
    ? refusal(GATEWAY_CODES.notServed, 'This gateway does not process this operation; nothing was created.')
    : await processor(request, context)
}
