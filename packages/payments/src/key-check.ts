import type { PaymentClient } from '@tallystick/client'
import type { PaymentError } from '@tallystick/core'
import type { PaymentsEvent } from './options.ts'

type Check = Awaited<ReturnType<PaymentClient['checkCredentials']>>

/** What is known about the shop's keys. */
export interface KeyCheck {
  /** Checks them, or waits for the check under way. Once they were right, it asks no more. */
  check(): Promise<Check>
  /** Why nothing may be sent: the gateway refuses the keys. Waits for the first check, and asks again after a refusal. */
  refusal(): Promise<PaymentError | undefined>
  /** After a refused signature: the keys may have been changed at the gateway, so they are checked again. */
  doubt(): void
}

/** A gateway that hangs must not keep the first customer for long. */
const WAIT_MS = 3000

/** Checks the keys of a client before anything is sent with them. */
export function keyCheck(
  client: Pick<PaymentClient, 'checkCredentials'>,
  report: (event: PaymentsEvent) => void,
): KeyCheck {
  let last: Check | undefined
  let underWay: Promise<Check> | undefined

  async function ask(): Promise<Check> {
    try {
      const check = await client.checkCredentials({ timeoutMs: WAIT_MS })
      // Once is enough: what stays wrong is told again by each payment.
      if (last?.credentials !== check.credentials) tell(check)
      last = check
      return check
    } finally {
      underWay = undefined
    }
  }

  function tell(check: Check): void {
    if (check.credentials === 'wrong') report({ type: 'WRONG_KEY', message: check.remedy, error: check.error })
    if (check.credentials === 'unclear') report({ type: 'KEY_UNCHECKED', message: check.remedy, error: check.error })
  }

  async function check(): Promise<Check> {
    if (last?.credentials === 'right') return last
    underWay ??= ask()
    return await underWay
  }

  return {
    check,
    doubt: () => {
      last = undefined
      void check().catch(() => {})
    },
    refusal: async () => {
      // While the gateway cannot be reached, each customer would wait for it twice.
      if (last?.credentials === 'unclear') void check().catch(() => {})
      const known = last?.credentials === 'unclear' ? last : await check()
      return known.credentials === 'wrong' ? known.error : undefined
    },
  }
}
