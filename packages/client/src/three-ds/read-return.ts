import { type Callback, MalformedFormError, type Pair, readCallback } from '@tallystick/core'
import { issuerFields, issuerMessage } from '@tallystick/core/internal'
import type { Inbound } from '../callbacks/handler.ts'
import { readInboundForm } from '../callbacks/inbound.ts'
import { STATE_PARAMETER } from './page.ts'
import type { StepState } from './steps.ts'

/** What a browser brought to the return address. */
export type Returned =
  | { readonly what: 'frame' }
  | { readonly what: 'method'; readonly state: StepState; readonly fields: Fields }
  | { readonly what: 'challenge'; readonly state: StepState; readonly cRes: string }
  | { readonly what: 'pareq'; readonly state: StepState; readonly paRes: string; readonly md: string | undefined }
  | { readonly what: 'final'; readonly callback: Callback }
  /** Only the address to which a result came before: a tab that is opened again, or the address bar. */
  | { readonly what: 'again'; readonly state: StepState }
  /** The browser came back from a step without its result. */
  | { readonly what: 'no-result'; readonly state: StepState }

type Fields = Readonly<Record<string, string>>

/** Finds the state of a step. */
interface StateFinder {
  /** Reads a signed state. */
  readonly open: (text: string) => StepState | undefined
  /** Finds a step that is open by what was brought, if its state was lost. */
  readonly find: (fields: ReadonlyMap<string, string>) => StepState | undefined
}

/** `undefined`: nothing of ours. */
export function readReturn(inbound: Inbound, finder: StateFinder): Returned | undefined {
  const returned = readInboundForm(inbound, (pairs) => returnOf(pairs, inbound, finder))
  if (!(returned instanceof MalformedFormError)) return returned
  // The address alone still says whose payment it is.
  return returnOf([], inbound, finder)
}

function returnOf(pairs: readonly Pair[], inbound: Inbound, { open, find }: StateFinder): Returned | undefined {
  const fields = issuerFields(pairs)
  const state = firstOf(statesIn(inbound, fields), open)
  if (state !== undefined) return ofStep(state, fields, Object.fromEntries(pairs)) ?? withoutResult(state, inbound)
  const found = find(fields)
  if (found !== undefined) return ofStep(found, fields, Object.fromEntries(pairs))
  // The frame's address has no state: EMV 3-D Secure keeps it short.
  if (fields.has('threedsmethoddata')) return { what: 'frame' }
  const callback = readCallback(pairs)
  return callback.ok ? { what: 'final', callback: callback.value } : undefined
}

/** Where a state may be: under its own name, which an address in HTML may have as `amp;...`, or in the session data. */
function statesIn({ query }: Inbound, fields: ReadonlyMap<string, string>): readonly string[] {
  const named = [...new URLSearchParams(query), ...fields].flatMap(([name, value]) =>
    name.endsWith(STATE_PARAMETER) ? [value] : [],
  )
  return [...named, fields.get('threedssessiondata') ?? '']
}

function firstOf(texts: readonly string[], open: StateFinder['open']): StepState | undefined {
  for (const text of texts) {
    const state = open(text)
    if (state !== undefined) return state
  }
  return undefined
}

function ofStep(state: StepState, fields: ReadonlyMap<string, string>, posted: Fields): Returned | undefined {
  const cRes = fields.get('cres')
  const paRes = fields.get('pares')
  if (state.step === 'challenge' && cRes !== undefined) return { what: 'challenge', state, cRes: issuerMessage(cRes) }
  if (state.step === 'pareq' && paRes !== undefined) {
    const md = fields.get('md')
    return { what: 'pareq', state, paRes: issuerMessage(paRes), md: md && issuerMessage(md) }
  }
  if (state.step !== 'method') return undefined
  if (fields.has('methodcompletion')) return { what: 'method', state, fields: posted }
  return fields.has('threedsmethoddata') ? { what: 'frame' } : undefined
}

function withoutResult(state: StepState, { method }: Inbound): Returned {
  return { what: method === 'GET' ? 'again' : 'no-result', state }
}
