import { catalogue, type FieldIssue, type OperationKey } from '@tallystick/core'
import type { Endpoint } from '../merchants/endpoint.ts'
import type { Target } from '../merchants/merchants.ts'
import type { ProcessContext } from '../operations/processor.ts'
import { creates } from './idempotency.ts'

type Values = Readonly<Record<string, unknown>>

interface Addressed extends Pick<ProcessContext, 'endpoint' | 'store' | 'merchants'> {
  readonly target: Target
}

/**
 * The fields that the endpoint requires beyond the interface and that the request lacks. A request about an order is carried
 * out at the order's endpoint, whichever endpoint of the group comes first, so the requirements of that endpoint count. The
 * order is looked up only if the request lacks a field that some endpoint of the group requires.
 */
export async function missingFields(
  key: OperationKey,
  values: Values,
  { target, endpoint, store, merchants }: Addressed,
): Promise<FieldIssue[]> {
  const missing = missingAt(endpoint, key, values)
  const isOfGroup = !creates(key) && target.endpoints.length > 1
  if (!isOfGroup || target.endpoints.every((each) => missingAt(each, key, values).length === 0)) return missing
  const { login } = target.merchant
  const order = await store.findOrder({
    login,
    clientOrderId: textOf(values['clientOrderId']) ?? '',
    orderId: textOf(values['orderId']),
  })
  return missingAt((order && merchants.endpointOf(order)) ?? endpoint, key, values)
}

function missingAt({ requiredFields }: Endpoint, key: OperationKey, values: Values): FieldIssue[] {
  if (requiredFields.length === 0) return []
  return Object.entries(catalogue[key].request.fields)
    .filter(([name]) => requiredFields.includes(name) && values[name] === undefined)
    .map(([name, { wireName, meaning }]) => {
      return { field: name, wireName, problem: 'is required at this endpoint', remedy: `Supply it: ${meaning}` }
    })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
