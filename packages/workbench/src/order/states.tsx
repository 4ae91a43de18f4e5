import type { RecordedEvent } from '@tallystick/core'
import { TRANSITIONS } from '@tallystick/core/internal'
import { Diagram, type DiagramEdge } from '../diagram.tsx'
import { Time } from '../parts.tsx'
import type { Order } from './order.ts'
import { edgesFrom, type Step, stepsOf } from './way.ts'

type Operation = Order['operations'][number]

/** What became of the order so far, and the way of each of its operations through its states. */
export function States({ order, events }: { readonly order: Order; readonly events: readonly RecordedEvent[] }) {
  return (
    <section aria-labelledby="states">
      <h2 id="states">States</h2>
      <ul class="states">
        <li>
          <h3>The order</h3>
          <OrderMap order={order} />
          <ol class="steps">
            {order.operations.map(({ id, kind, amount, status }) => (
              <li key={id}>
                <strong>{kind}</strong> of {amount ?? 'no amount'} {amount && order.currency}: {status}
              </li>
            ))}
          </ol>
        </li>
        {order.operations.map((operation) => (
          <li key={operation.id}>
            <OperationStates operation={operation} steps={stepsOf(operation, events)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The kinds of operation that may follow each other in such an order, with those that there are. */
function OrderMap({ order: { operations } }: { readonly order: Order }) {
  const [opening] = operations
  if (opening === undefined) return null
  const made = new Set(operations.map(({ kind }) => kind))
  const last = operations.at(-1)?.kind
  const edges = edgesFrom(opening.kind).map(({ from, to, actions }) => ({
    from,
    to,
    label: actions.join(', '),
    isTaken: made.has(from) && made.has(to),
  }))
  const kinds = new Set([opening.kind, ...edges.map(({ to }) => to)])
  const nodes = [...kinds].map((id) => ({ id, mark: made.has(id) ? markOf(id === last) : undefined }))
  const title = `${opening.kind}${edges.map(({ to, isTaken }) => `, ${to}${isTaken ? '' : ' (not made)'}`).join('')}`
  return <Diagram title={`Operations: ${title}`} nodes={nodes} edges={edges} />
}

function OperationStates({ operation, steps }: { readonly operation: Operation; readonly steps: readonly Step[] }) {
  const { kind, status, errorCode, errorMessage, awaits } = operation
  const passed = steps.map((step) => step.status)
  const edges: readonly DiagramEdge[] = Object.entries(TRANSITIONS).flatMap(([from, next]) =>
    next.map((to) => ({ from, to, isTaken: passed.indexOf(to) === passed.indexOf(from) + 1 && passed.includes(from) })),
  )
  const nodes = Object.keys(TRANSITIONS).map((id) => {
    return { id, mark: passed.includes(id) ? markOf(id === status) : undefined }
  })
  const why = [errorCode && `error ${errorCode}`, errorMessage, awaits && `waits for ${awaits}`].filter(Boolean)
  return (
    <>
      <h3>{kind}</h3>
      <Diagram title={`States of the ${kind}: ${passed.join(', then ')}`} nodes={nodes} edges={edges} />
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.status}>
            <strong>{step.status}</strong> <Time at={step.at} />
          </li>
        ))}
      </ol>
      {why.length > 0 && <p class="note">{why.join(', ')}</p>}
    </>
  )
}

function markOf(isNow: boolean): 'now' | 'passed' {
  return isNow ? 'now' : 'passed'
}
