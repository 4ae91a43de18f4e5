import type { AuthenticationResult } from '../acquirer/acquirer.ts'
import type { Processor, RequestContext } from '../context.ts'
import { type Answer, asyncReply } from '../http/reply.ts'
import { authenticate } from '../processing/authenticate.ts'
import { noSuchOrder, refusedByRule } from './modifications.ts'

/** Uploads of the result of a 3DS step: the acquirer goes on with it, and the outcome follows by status (gaps part 8). */

const processUploadCresResult: Processor<'uploadCresResult'> = (request, context) =>
  goOn(request, { step: 'challenge', value: request.cRes }, context)

const processUploadParesResult: Processor<'uploadParesResult'> = (request, context) =>
  goOn(request, { step: 'pareq', value: request.paRes }, context)

const processUploadMethodUrlResult: Processor<'uploadMethodUrlResult'> = (request, context) =>
  goOn(request, { step: 'method', value: request.methodCompletion }, context)

interface Upload {
  readonly clientOrderId: string
  readonly orderId: string
}

async function goOn(
  { clientOrderId, orderId }: Upload,
  result: AuthenticationResult,
  context: RequestContext,
): Promise<Answer> {
  const { service, merchant, serialNumber, particulars } = context
  const find = () => service.store.findOrder({ login: merchant.login, clientOrderId, orderId })
  const authenticated = await authenticate(find, { ...result, particulars }, context)
  switch (authenticated.status) {
    case 'no-order':
      return noSuchOrder()
    case 'not-awaited':
      return refusedByRule({ rule: 'awaited-step', reason: 'the order does not wait for the result of this 3DS step' })
    case 'goes-on': {
      const { order } = authenticated
      return asyncReply({ serialNumber, clientOrderId, orderId: order.orderId, endpointId: order.endpointId })
    }
  }
}

/** Uploads, by their keys. */
export const uploads = {
  uploadCresResult: processUploadCresResult,
  uploadParesResult: processUploadParesResult,
  uploadMethodUrlResult: processUploadMethodUrlResult,
}
