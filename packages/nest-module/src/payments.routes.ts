import { Logger } from '@nestjs/common'
import {
  createBrowserReturnHandler,
  createCallbackHandler,
  createThreeDsReturnHandler,
  type Handler,
} from '@tallystick/client'
import type { CallbackHandlerOptions } from '@tallystick/client/internal'
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

const logger = new Logger('Payments')

/** Stores callbacks in the journal's inbox. Without a journal, confirms them by a status check and calls the listeners. */
function callbackHandler({ instance, settings, client, journal, outcomes }: InstanceParts): Handler {
  if (journal !== undefined) return createCallbackHandler({ client, inbox: journal.inbox })
  const { onOutcome, onNotice, onUnconfirmed = warnOf(instance) } = settings.callbacks ?? {}
  return createCallbackHandler({
    client,
    onOutcome: async (outcome) => {
      await outcomes.deliver({ instance, outcome }, onOutcome !== undefined)
      await onOutcome?.(outcome)
    },
    onNotice: async (notice) => {
      await outcomes.deliver({ instance, outcome: notice }, onNotice !== undefined)
      if (typeof onNotice === 'function') await onNotice(notice)
    },
    onUnconfirmed,
  })
}

/** @throws TypeError if the route has no settings */
function browserReturnHandler({ instance, settings, client, journal }: InstanceParts): Handler {
  if (typeof settings.browserReturn?.show !== 'function') throw missing('browserReturn', instance)
  if (settings.journal === undefined) {
    return createBrowserReturnHandler({ client, ...withoutRoute(settings.browserReturn) })
  }
  if (journal === undefined) throw new TypeError(`The option journal of the instance ${instance} returned none`)
  return createBrowserReturnHandler({ journal, ...withoutRoute(settings.browserReturn) })
}

/** @throws TypeError if the route has no settings */
function threeDsReturnHandler({ instance, settings: { threeDsReturn }, client }: InstanceParts): Handler {
  if (typeof threeDsReturn?.show !== 'function') throw missing('threeDsReturn', instance)
  return createThreeDsReturnHandler({ client, ...withoutRoute(threeDsReturn) })
}

function missing(route: 'browserReturn' | 'threeDsReturn', instance: string): TypeError {
  return new TypeError(`The instance ${instance} has a route ${route}, but its settings do not say what to show there`)
}

/** `forRoot` has the place of a route and its settings in one object. */
function withoutRoute<Settings extends object>(settings: Settings & Partial<RouteOptions>) {
  const { path: _, version: __, decorators: ___, ...rest } = settings
  return rest
}

/** The gateway only sees a 503, so a wrong login or key would show nowhere else. */
function warnOf(instance: string): NonNullable<CallbackHandlerOptions['onUnconfirmed']> {
  return ({ code, message }, { clientOrderId, orderId }) =>
    logger.warn(`${instance}: no status of order ${clientOrderId} (${orderId}): ${code} ${message}`)
}
