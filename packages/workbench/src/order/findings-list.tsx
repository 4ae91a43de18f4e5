import { useContext, useMemo } from 'preact/hooks'
import { NowContext, useWorkbench } from '../context.ts'
import { findingsOf } from './findings.ts'

/** A shop that asks for the status does so within this time. */
const PATIENCE_MS = 5_000

/** The orders of which something went wrong that no line shows in red: what was approved, and the shop does not know it. */
export function FindingsList({ most }: { readonly most: number }) {
  const { feed } = useWorkbench()
  const now = useContext(NowContext)
  const all = useMemo(() => findingsOf(feed.events), [feed.events])
  const findings = all.filter(({ at }) => now - at > PATIENCE_MS)
  if (findings.length === 0) return null
  return (
    <section class="why" aria-labelledby="findings">
      <h2 id="findings">What stands out</h2>
      <ul>
        {findings.slice(0, most).map(({ orderId, clientOrderId, texts }) => (
          <li key={orderId}>
            <a href={`#/order/${orderId}`}>{clientOrderId}</a>: <span class="bad">{texts.join(' ')}</span>
          </li>
        ))}
      </ul>
      {findings.length > most && (
        <p>
          <a href="#/errors">{findings.length - most} more</a>
        </p>
      )}
    </section>
  )
}
