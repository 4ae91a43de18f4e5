import type { Exchange } from '@tallystick/client'

/** How a call ends before it begins, because its client was closed or its caller has aborted it; otherwise `undefined`. */
export function notBegun(isClosed: boolean, signal: AbortSignal | undefined): Exchange | undefined {
  if (isClosed)
    return notSent('the client was closed before the call began (close it last, after the server and the journal)')
  if (signal?.aborted) return notSent('the call was aborted before it began')
  return undefined
}

export function notSent(seen: string): Exchange {
  return { kind: 'not-sent', seen }
}
