import { type Callback, MalformedFormError, type Pair, readCallback } from '@tallystick/core'
import type { Inbound } from '../callbacks/handler.ts'
import { readInboundForm } from '../callbacks/read-inbound-form.ts'
import { STATE_PARAMETER } from './show-step.ts'
import type { StepState } from './state.ts'

/** What a browser brought to the return address. */
export type Returned =
  | { readonly what: 'frame' }
  | { readonly what: 'method'; readonly state: StepState; readonly fields: Fields }
  | { readonly what: 'challenge'; readonly state: StepState; readonly cRes: string }
  | { readonly what: 'pareq'; readonly state: StepState; readonly paRes: string; readonly md: string | undefined }
  | { readonly what: 'final'; readonly callback: Callback }
  /** Only the address to which a result came before: a tab that is opened again, or the address bar. */
  | { readonly what: 'again'; readonly state: StepState }

type Fields = Readonly<Record<string, string>>

/** `undefined`: nothing of ours. `open` reads a signed state. */
export function readReturn(inbound: Inbound, open: Open): Returned | undefined {
  const returned = readInboundForm(inbound, (pairs) => returnOf(pairs, inbound, open))
  return returned instanceof MalformedFormError ? undefined : returned
}

type Open = (text: string) => StepState | undefined

function returnOf(pairs: readonly Pair[], inbound: Inbound, open: Open): Returned | undefined {
  const fields = new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]))
  const state = open(new URLSearchParams(inbound.query).get(STATE_PARAMETER) ?? fields.get('threedssessiondata') ?? '')
  if (state !== undefined) return ofStep(state, fields, Object.fromEntries(pairs)) ?? comeAgain(state, inbound)
  // The frame's address has no state: EMV 3-D Secure keeps it short.
  if (fields.has('threedsmethoddata')) return { what: 'frame' }
  const callback = readCallback(pairs)
  return callback.ok ? { what: 'final', callback: callback.value } : undefined
}

/** Issuers spell the names in either case (conflict C8). */
function ofStep(state: StepState, fields: ReadonlyMap<string, string>, posted: Fields): Returned | undefined {
  const cRes = fields.get('cres')
  const paRes = fields.get('pares')
  if (state.step === 'challenge' && cRes !== undefined) return { what: 'challenge', state, cRes }
  if (state.step === 'pareq' && paRes !== undefined) return { what: 'pareq', state, paRes, md: fields.get('md') }
  if (state.step !== 'method') return undefined
  if (fields.has('methodcompletion')) return { what: 'method', state, fields: posted }
  return fields.has('threedsmethoddata') ? { what: 'frame' } : undefined
}

function comeAgain(state: StepState, { method }: Inbound): Returned | undefined {
  return method === 'GET' ? { what: 'again', state } : undefined
}
