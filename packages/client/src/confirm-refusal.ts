import { catalogue, GatewayError, type OperationKey } from '@tallystick/core'
import { type CallVerdict, call } from './call.ts'
import { alarm } from './diagnostics.ts'
import type { OrderNames } from './operate.ts'
import type { Dependencies } from './options.ts'

/**
 * Asks the status once before a refused money operation is called refused (the classification table of SAFETY.md): when
 * an order of this client order id exists all the same, the refusal proves nothing about it, and its status decides.
 * What the status cannot tell leaves the refusal as it is.
 *
 * Only for what makes an order. That the order of a capture, void or return exists says nothing of them: there the change
 * against an earlier status decides, which who keeps a journal has.
 */
export async function confirmRefusal<K extends OperationKey>(
  key: K,
  verdict: CallVerdict<K>,
  { clientOrderId, orderId }: OrderNames,
  signal: AbortSignal | undefined,
  deps: Dependencies,
): Promise<CallVerdict<K>> {
  if (verdict.kind !== 'rejected' || catalogue[key].effect !== 'moves-money' || orderId !== undefined) return verdict
  const status = await call('status', { clientOrderId }, signal, deps)
  if (status.kind !== 'accepted') return verdict
  const { operation, httpStatus, seen } = verdict.error
  alarm({ operation, clientOrderId, endpointId: deps.endpoint.id, what: 'refused-but-exists' }, deps)
  const told = {
    operation,
    clientOrderId,
    httpStatus,
    seen: `${seen}, and yet an order of this client order id exists`,
  }
  return { kind: 'unknown', error: new GatewayError(told, verdict.error) }
}
