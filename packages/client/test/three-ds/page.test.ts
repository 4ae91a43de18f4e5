import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { completedPage, methodPage } from '../../src/three-ds/page.ts'

const options = { nonce: 'n', language: 'en', texts: { title: 'Bank', wait: 'Wait', proceed: 'Continue' } }
const origin = 'https://shop.example.com'

/** The script of a page. */
function scriptOf({ body }: { readonly body: string }): string {
  return /<script nonce="n">(.*)<\/script>/s.exec(body)?.[1] ?? ''
}

/** What the script of the page does, in a browser that has only the parts it needs. */
function opened() {
  const sent: string[] = []
  const timers: Array<readonly [task: () => void, delayMs: number]> = []
  const listeners: Array<(event: { origin: string; data: unknown }) => void> = []
  const field = { value: 'N' }
  const form = (id: string) => ({ submit: () => sent.push(id === 'go' ? `go ${field.value}` : id) })
  const page = methodPage(
    {
      frame: { action: 'https://acs.example.com/method', fields: { threeDSMethodData: 'e30' } },
      onward: `${origin}/return`,
      waitMs: 10_000,
      origin,
    },
    options,
  )
  runInNewContext(scriptOf(page), {
    navigator: { language: 'en', javaEnabled: () => false },
    screen: { colorDepth: 24, width: 1, height: 1 },
    document: {
      querySelectorAll: () => [],
      getElementById: (id: string) => (id === 'completed' ? field : form(id)),
    },
    addEventListener: (_name: string, listener: (typeof listeners)[number]) => listeners.push(listener),
    setTimeout: (task: () => void, delayMs: number) => timers.push([task, delayMs]),
  })
  const tell = (event: { origin: string; data: unknown }) => {
    for (const listener of listeners) listener(event)
  }
  return { sent, timers, tell }
}

/** What the page in the frame posts to the page around it. */
function completed(): { readonly data: unknown; readonly to: string } {
  const told: Array<{ data: unknown; to: string }> = []
  const parent = { postMessage: (data: unknown, to: string) => told.push({ data, to }) }
  runInNewContext(scriptOf(completedPage(origin, options)), { parent })
  const [first] = told
  if (first === undefined) throw new Error('it tells nothing')
  return first
}

describe('The page of the method frame', () => {
  test('sends the frame at once, and goes on once, with Y, when the frame completes', () => {
    const { sent, timers, tell } = opened()
    expect(sent).toEqual(['frame'])
    const { data, to } = completed()
    expect(to).toBe(origin)
    tell({ origin, data })
    tell({ origin, data })
    for (const [task] of timers) task()
    expect(sent).toEqual(['frame', 'go Y'])
  })

  test('[S8-01] goes on with N after 10 seconds', () => {
    const { sent, timers } = opened()
    expect(timers.map(([, delayMs]) => delayMs)).toEqual([10_000])
    for (const [task] of timers) task()
    expect(sent).toEqual(['frame', 'go N'])
  })

  test('ignores other origins, and other messages', () => {
    const { sent, tell } = opened()
    tell({ origin: 'https://acs.example.com', data: completed().data })
    tell({ origin, data: 'something else' })
    expect(sent).toEqual(['frame'])
  })
})
