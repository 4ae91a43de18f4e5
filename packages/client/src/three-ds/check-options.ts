import { isBrowserAddress } from '../html.ts'
import type { ThreeDsOptions } from './three-ds.ts'

/** @throws TypeError for a return address that no browser can come back to */
export function checked<Options extends ThreeDsOptions>(options: Options): Options {
  if (isBrowserAddress(options.returnUrl)) return options
  throw new TypeError('threeDs: returnUrl must be the http or https address that the browser comes back to')
}
