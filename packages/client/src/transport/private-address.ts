import { warn } from '../diagnostics.ts'

/** Of this machine and of private networks (RFC 1122, RFC 1918), also as IPv6 spells them. */
const PRIVATE = /^(?:(?:::ffff:)?(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|::1$)/i

/**
 * Checks the address of each payer, and warns once if one is private: then the app mistakes its proxy for the customer, and
 * the gateway judges the risk of every payment by the same address. Does not warn if the gateway is on this machine: then the
 * customers are those of a test.
 */
export function privateAddressWatch(baseUrl: string, onWarning: (warning: string) => void): (address: unknown) => void {
  let isDone = isOnThisMachine(baseUrl)
  return (address) => {
    if (isDone || typeof address !== 'string' || !PRIVATE.test(address)) return
    isDone = true
    warn(
      `customerIp ${address} is an address of a private network, so it is not the customer's: let the app trust its proxy ` +
        '(`trust proxy` of Express), and no one else',
      { onWarning },
    )
  }
}

const THIS_MACHINE = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/i

/** Whether an address is of this machine, by its name alone. */
export function isOnThisMachine(url: string): boolean {
  return THIS_MACHINE.test(url)
}
