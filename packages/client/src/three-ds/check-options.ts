import { checkOptions, type Kinds, kind } from '@tallystick/core'
import { WAIT_KINDS } from '../options.ts'
import { isBrowserAddress } from './html.ts'
import type { TakeOptions } from './three-ds.ts'

/** Headers and addresses from a request may be anything. */
export const THREE_DS_KINDS: Kinds<TakeOptions> = {
  returnUrl: kind.required({
    wanted: 'the http or https address that the browser comes back to',
    isRight: isBrowserAddress,
  }),
  ...WAIT_KINDS,
  nonce: {
    wanted: 'base64 or base64url',
    isRight: (value) => typeof value === 'string' && /^[\w+/=-]+$/.test(value),
  },
  language: kind.text,
  texts: kind.object,
  headers: kind.anything,
  customerIp: kind.anything,
}

/** @throws TypeError for a wrong option, such as a return address that no browser can come back to */
export function checked<Options extends TakeOptions>(options: Options): Options {
  checkOptions('threeDs', options, THREE_DS_KINDS)
  return options
}
