import type { RecordedEvent } from '@tallystick/core'
import { ORDER_ACTIONS } from '@tallystick/core/internal'
import type { Order } from './order.ts'

/** One step of an operation: the status that it came to, and when. */
export interface Step {
  readonly status: string
  readonly at: number
}

interface Following {
  readonly from: string
  readonly to: string
  readonly actions: readonly string[]
}

/** What may follow a kind, and what may follow that. */
export function edgesFrom(kind: string): readonly Following[] {
  const next = Object.entries(ORDER_ACTIONS).flatMap(([action, { makes }]) => {
    const to = (makes as Readonly<Record<string, string>>)[kind]
    return to === undefined ? [] : [{ to, action }]
  })
  const edges = [...Map.groupBy(next, ({ to }) => to)].map(([to, ways]) => {
    return { from: kind, to, actions: ways.map(({ action }) => action) }
  })
  return [...edges, ...edges.flatMap(({ to }) => edgesFrom(to))]
}

/** The states that an operation has come through. What is no longer in the recording is missing in the middle. */
export function stepsOf(
  operation: Pick<Order['operations'][number], 'id' | 'status' | 'createdAt' | 'statusAt'>,
  events: readonly RecordedEvent[],
): readonly Step[] {
  const seen = events.flatMap((event) =>
    event.type === 'state' && event.operationId === operation.id ? [{ status: event.status, at: event.at }] : [],
  )
  const all = [
    { status: 'created', at: Date.parse(operation.createdAt) },
    ...seen,
    { status: operation.status, at: Date.parse(operation.statusAt) },
  ]
  return all.filter(({ status }, index) => all.findIndex((step) => step.status === status) === index)
}
