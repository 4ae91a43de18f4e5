import type { Handler } from '@tallystick/client'
import { browserReturnHandler, callbackHandler, threeDsReturnHandler } from './payments.handlers.ts'
import type { InstanceParts } from './payments.instance.ts'
import type { PaymentsRoutes } from './payments.options.ts'
import type { RouteOptions } from './routes/route-options.ts'

interface Route {
  /** Of its controller. */
  readonly name: string
  /** Of its handler, within an instance's module, and not exported: every instance has its own. */
  readonly token: symbol
  readonly make: (parts: InstanceParts) => Handler
}

const ROUTES: Readonly<Record<keyof PaymentsRoutes, Route>> = {
  callbacks: { name: 'PaymentCallbacks', token: Symbol('callback handler'), make: callbackHandler },
  browserReturn: { name: 'PaymentBrowserReturn', token: Symbol('browser return handler'), make: browserReturnHandler },
  threeDsReturn: { name: 'PaymentThreeDsReturn', token: Symbol('3DS return handler'), make: threeDsReturnHandler },
}

/** The routes that an instance has, and where they are. */
export function routesOf(routes: PaymentsRoutes): ReadonlyArray<Route & { readonly place: RouteOptions }> {
  return Object.entries(ROUTES).flatMap(([option, route]) => {
    const place = routes[option as keyof PaymentsRoutes]
    return place === undefined ? [] : [{ ...route, place }]
  })
}
