import { type Callback, MalformedFormError, readCallback } from '@tallystick/core'
import type { Inbound } from './handler.ts'
import { readInboundForm } from './read-inbound-form.ts'

/**
 * The client order id that a browser names when it comes back from the gateway, by POST or GET; `undefined` if it names none.
 * Anybody can send it, and its control covers neither the amount nor the time: it says which order to ask for, never what
 * became of it.
 */
export function readBrowserReturn(inbound: Inbound): string | undefined {
  return readReturned(inbound)?.clientOrderId
}

/** All that the browser brought, unverified. */
export function readReturned(inbound: Inbound): Callback | undefined {
  const read = readInboundForm(inbound, readCallback)
  return read instanceof MalformedFormError || !read.ok ? undefined : read.value
}
