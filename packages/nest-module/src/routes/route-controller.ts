import { Controller, type Type } from '@nestjs/common'
import type { RouteOptions } from './route-options.ts'

/** A class of its own for each route, because Nest keeps a controller's path on the class. */
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
