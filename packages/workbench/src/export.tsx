import { type RecordedEvent, readRecording } from '@tallystick/core'
import { useState } from 'preact/hooks'
import { messageOf, useWorkbench } from './context.ts'
import { exportedTest, type Runner } from './exported-test.ts'
import { ActButton, CopyButton } from './parts.tsx'
import type { WireNames } from './wire-names.ts'

/** A recording that was opened from a file. */
export interface OpenFile {
  readonly name?: string
  readonly events: readonly RecordedEvent[]
}

/** Copies the address of the page where it is. The key is not in it. */
export function CopyPlace() {
  return <CopyButton text={() => location.href}>Copy link</CopyButton>
}

/** Saves what happened as one page that opens without a server: to one order, or all. */
export function SaveButton({ orderId }: { readonly orderId?: string }) {
  const { sandbox } = useWorkbench()
  const save = async () => {
    const query = orderId === undefined ? '' : `?orderId=${encodeURIComponent(orderId)}`
    const page = await sandbox.file(`/recording.html${query}`)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(page)
    link.download = orderId === undefined ? 'recording.html' : `order-${orderId}.html`
    link.click()
    URL.revokeObjectURL(link.href)
    return 'Saved'
  }
  return <ActButton act={save}>Save as a file</ActButton>
}

/** What `build.ts` takes from the catalogue. */
declare const WIRE_NAMES: WireNames

const RUNNERS: readonly Runner[] = ['vitest', 'jest', 'node:test']

/** Copies a test that does again with a shop what was done with an order. */
export function CopyTest({ orderId }: { readonly orderId: string }) {
  const { feed } = useWorkbench()
  const [runner, setRunner] = useState<Runner>('vitest')
  const written = () => exportedTest(feed.events, orderId, { runner, names: WIRE_NAMES }) ?? TOO_OLD
  return (
    <>
      <label>
        Runner
        <select value={runner} onChange={(event) => setRunner(event.currentTarget.value as Runner)}>
          {RUNNERS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <CopyButton text={written}>Copy as a test</CopyButton>
    </>
  )
}

const TOO_OLD = '// The beginning of this order is no longer in the recording.\n'

interface RecordingBarProps {
  readonly file: OpenFile | undefined
  readonly open: (file: OpenFile | undefined) => void
}

/** Saves what happens here, and opens what was saved elsewhere. */
export function RecordingBar({ file, open }: RecordingBarProps) {
  const [problem, setProblem] = useState('')
  const read = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    try {
      open({ name: chosen.name, events: readRecording(await chosen.text()) })
      setProblem('')
      location.hash = '#/live'
    } catch (error) {
      setProblem(`${chosen.name} is no recording: ${messageOf(error)}`)
    }
  }
  if (file !== undefined) {
    return (
      <>
        <span>{file.name}</span>
        <button type="button" onClick={() => open(undefined)}>
          Back to the sandbox
        </button>
      </>
    )
  }
  return (
    <>
      <SaveButton />
      <label class="file">
        Open a recording
        <input type="file" accept=".ndjson,.html" onChange={(event) => void read(event.currentTarget.files?.[0])} />
      </label>
      <span role="status">{problem}</span>
    </>
  )
}
