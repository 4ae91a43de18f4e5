import type { Ids } from '@tallystick/gateway'

/**
 * Ids that a test knows beforehand, instead of random ones: the first order of a gateway is `100000000000001`. For the `ids` of
 * a gateway whose orders a test compares with a snapshot.
 */
export function fakeIds(): Ids {
  const number = () => {
    let made = 0
    return (digits: number) => String(++made).padStart(digits, '0')
  }
  const [order, serial, page] = [number(), number(), number()]
  return {
    orderId: () => `1${order(14)}`,
    serialNumber: () => `00000000-0000-4000-8000-${serial(12)}`,
    pageToken: () => page(22),
  }
}
