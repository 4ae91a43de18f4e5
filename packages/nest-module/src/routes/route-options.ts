import type { ControllerOptions } from '@nestjs/common'

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
