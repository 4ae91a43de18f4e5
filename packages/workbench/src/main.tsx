import { type RecordedEvent, readRecording } from '@tallystick/core'
import { render } from 'preact'
import { App } from './app.tsx'
import { placeOfTrouble } from './timeline.ts'

/** Of the printed address. From here on it is in memory alone: a link that is copied from the address bar does not give it away. */
function takeKey(): string {
  const url = new URL(location.href)
  const key = url.searchParams.get('token') ?? ''
  if (key !== '') {
    url.searchParams.delete('token')
    history.replaceState(undefined, '', url)
  }
  return key
}

/** Of a page in one file. It opens where something went wrong first, unless its address names a place. */
function takeRecording(root: HTMLElement): readonly RecordedEvent[] | undefined {
  const text = document.getElementById('recording')?.textContent
  if (text === undefined) return undefined
  const events = readRecording(text.trimStart())
  const after = root.dataset['after']
  if (after !== undefined && location.hash === '') {
    history.replaceState(undefined, '', placeOfTrouble(events.filter(({ id }) => id > Number(after))))
  }
  return events
}

const root = document.getElementById('workbench')
if (root !== null) {
  const recorded = takeRecording(root)
  render(<App firstKey={recorded === undefined ? takeKey() : ''} recorded={recorded} />, root)
}
