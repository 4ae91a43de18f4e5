import type { GatewayHandle } from '@tallystick/client'

/** What can be mounted: what `createGateway` returns, or a function like its `handle`. */
export type MountedGateway = GatewayHandle | { readonly handle: GatewayHandle; close?(): Promise<void> }

/** Provided within the module of one gateway. */
export const GATEWAY = Symbol('gateway')
export const CONTROLLER = Symbol('controller')
