import { type Transport, undiciTransport } from '@tallystick/client'

export interface Way {
  /** The authority of the servers' certificates. Default those that the runtime trusts. */
  readonly authority?: string | undefined
  readonly proxy?: string | undefined
}

/** The client's own transport. On Workers the one of the documentation takes the place of this file. */
export function ownTransport({ authority, proxy }: Way): Transport {
  return undiciTransport({ proxy, tls: authority === undefined ? undefined : { ca: authority } })
}
