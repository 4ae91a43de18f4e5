import type { ControllerOptions } from '@nestjs/common'

/** Where a route is, and what of the app does not hold for it. */
export interface RouteOptions extends Pick<ControllerOptions, 'version'> {
  /** The path below the app's global prefix: `payments/callback`. */
  readonly path: string
  /**
   * Put on the controller of the route. The app's guards, interceptors and throttlers hold for it as for any other, so this
   * is where it opts out, by the decorators that they look for: `[Public(), SkipThrottle()]`.
   */
  readonly decorators?: readonly ClassDecorator[]
}
