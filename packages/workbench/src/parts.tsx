import type { ComponentChildren } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { messageOf, NowContext, useWorkbench } from './context.ts'
import { exactTime, relativeTime } from './times.ts'

/** A time: how far it is from now, and exactly. */
export function Time({ at }: { readonly at: number }) {
  const now = useContext(NowContext)
  return (
    <time dateTime={new Date(at).toISOString()}>
      <span class="exact">{exactTime(at)}</span> <span class="relative">{relativeTime(at, now)}</span>
    </time>
  )
}

/** Names with values. Those without a value are left out. */
export function Facts({ facts }: { readonly facts: ReadonlyArray<readonly [name: string, value: ComponentChildren]> }) {
  const shown = facts.filter(([, value]) => value !== undefined && value !== '')
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface CopyButtonProps {
  /** A function makes the text when it is asked for. */
  readonly text: string | (() => string)
  readonly children: ComponentChildren
}

/** Copies a text, and says that it did. */
export function CopyButton({ text, children }: CopyButtonProps) {
  const [said, setSaid] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => setSaid('Copied'),
      () => setSaid('This browser does not let the page copy: select the text instead'),
    )
  return (
    <span class="act">
      <button type="button" onClick={() => void copy()}>
        {children}
      </button>
      <span role="status">{said}</span>
    </span>
  )
}

interface ActButtonProps {
  /** Returns what to say of it. */
  readonly act: () => Promise<ComponentChildren>
  readonly children: ComponentChildren
}

/** Has the sandbox do something, and says what came of it. Absent where there is none. */
export function ActButton({ act, children }: ActButtonProps) {
  const { feed } = useWorkbench()
  const [said, setSaid] = useState<ComponentChildren>('')
  const [isBusy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    setSaid('')
    setSaid(await act().catch(messageOf))
    setBusy(false)
  }
  if (feed.state === 'recorded') return null
  return (
    <span class="act">
      <button type="button" aria-disabled={isBusy} onClick={() => isBusy || void start()}>
        {children}
      </button>
      <span role="status">{said}</span>
    </span>
  )
}

/** A text that may be long and is to be read to the letter. */
export function Raw({ children }: { readonly children: ComponentChildren }) {
  return <pre>{children}</pre>
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="empty">{children}</div>
}

export function OrderLink({ orderId, children }: { readonly orderId: string; readonly children?: ComponentChildren }) {
  return <a href={`#/order/${orderId}`}>{children ?? orderId}</a>
}
