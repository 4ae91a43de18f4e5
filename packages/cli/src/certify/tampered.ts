import type { OutgoingRequest, Transport } from '@tallystick/client'
import { parseForm, serializeForm } from '@tallystick/core'

/** A transport that changes requests on their way. A status goes as it is: it tells what became of the others. */
export function tampered(transport: Transport, change: (request: OutgoingRequest) => OutgoingRequest): Transport {
  const isStatus = ({ url }: OutgoingRequest) => /\/status\/(?:group\/)?\d+$/.test(url)
  return {
    send: async (request, options) => await transport.send(isStatus(request) ? request : change(request), options),
    close: async () => await transport.close(),
  }
}

/** Gives fields another value, or leaves them out. The signature stays as it was. */
export function withFields(changes: Readonly<Record<string, string | undefined>>) {
  return (request: OutgoingRequest): OutgoingRequest => {
    const fields = new Map(parseForm(request.body))
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) fields.delete(name)
      else fields.set(name, value)
    }
    return { ...request, body: serializeForm([...fields]) }
  }
}
