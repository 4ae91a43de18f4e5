import type { Handler } from '@tallystick/client'
import type { FastifyPluginAsync } from 'fastify'
import { route } from './route.ts'

/**
 * The routes of a shop's payments, as `createPayments` of `@tallystick/payments` makes them:
 * `app.register(paymentRoutes(payments), { prefix: '/payments' })`. Register it outside of hooks that require a session or a form
 * token: the browser returns from another origin, by POST.
 */
export function paymentRoutes({ routes }: { readonly routes: Readonly<Record<string, Handler>> }): FastifyPluginAsync {
  return async (app) => {
    for (const [name, handle] of Object.entries(routes)) app.register(route(handle), { prefix: `/${name}` })
  }
}
