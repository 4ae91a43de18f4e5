import { catalogue, type FieldIssue, type OperationKey } from '@tallystick/core'
import type { Endpoint } from '../merchants/endpoint.ts'
import type { Target } from '../merchants/merchants.ts'
import { creates } from '../processors/first-answer.ts'
import type { ProcessContext } from '../processors/processor.ts'

type Values = Readonly<Record<string, unknown>>

interface Addressed extends Pick<ProcessContext, 'endpoint' | 'store' | 'merchants'> {
  readonly target: Target
}

/**
 * What the request lacks of what the endpoint requires beyond the interface. A request about an order is carried out at the
 * endpoint of the order, whichever endpoint of a group was asked first: what that one requires counts. The order is looked
 * for only where an endpoint of the group lacks something.
 */
export async function missingFields(
  key: OperationKey,
  values: Values,
  { target, endpoint, store, merchants }: Addressed,
): Promise<FieldIssue[]> {
  const missing = missingAt(endpoint, key, values)
  const isOfGroup = !creates({ key }) && target.endpoints.length > 1
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
