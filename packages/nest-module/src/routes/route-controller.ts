import { Controller, type Type } from '@nestjs/common'
import type { RouteOptions } from './route-options.ts'

/** Makes the class a controller for the route. Each route needs its own class, because Nest stores a controller's path on it. */
export function routeController<Instance>(
  controller: Type<Instance>,
  name: string,
  { path, version, decorators = [] }: RouteOptions,
): Type<Instance> {
  Object.defineProperty(controller, 'name', { value: name })
  for (const decorate of decorators.toReversed()) decorate(controller)
  Controller({ path, ...(version === undefined ? {} : { version }) })(controller)
  return controller
}
