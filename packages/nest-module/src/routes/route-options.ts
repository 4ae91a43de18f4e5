import { Controller, type ControllerOptions, type Type } from '@nestjs/common'
import { type Validator, type Validators, validator } from '@tallystick/core/internal'

/** Where a route is, and which settings of the app it opts out of. */
export interface RouteOptions extends Pick<ControllerOptions, 'version'> {
  /** The path below the app's global prefix: `payments/callback`. */
  readonly path: string
  /**
   * Decorators for the controller of the route. The app's guards, interceptors and throttlers apply to it as to any other. To
   * opt out, give the decorators that they look for: `[Public(), SkipThrottle()]`.
   */
  readonly decorators?: readonly ClassDecorator[]
}

/** A version of Nest: a text, a list of them, or the symbol `VERSION_NEUTRAL`. */
const version: Validator = {
  wanted: 'a text, a list of texts or VERSION_NEUTRAL',
  isRight: (value) => [value].flat().every((one) => typeof one === 'string' || typeof one === 'symbol'),
}

/** Every option of a route with its kind. */
export const ROUTE_KINDS: Validators<RouteOptions> = {
  path: validator.text,
  decorators: validator.listOf({ ...validator.function, wanted: 'a decorator, such as SkipThrottle()' }),
  version,
}

/** The same where nothing else says that the path is missing. */
export const PLACE_KINDS: Validators<RouteOptions> = { ...ROUTE_KINDS, path: validator.required(ROUTE_KINDS.path) }

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
