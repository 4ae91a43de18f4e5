import type { Callback, Endpoint, Exponents, Secret } from '@tallystick/core'
import type { CredentialCheck } from './check-credentials.ts'
import type { Credentials } from './credentials.ts'
import type { OperationMethods } from './methods.ts'
import type { OrderRef, Outcome, StatusPoll } from './outcomes/outcome.ts'
import type { CallOptions, WaitOptions } from './result.ts'
import type { ThreeDs } from './three-ds/three-ds.ts'

/** A merchant's client of one gateway, made by `createPaymentClient`. Use one for all requests, and `close` it at the end. */
export interface PaymentClient extends OperationMethods {
  /** A new client order id: unique, sortable by time, safe beside amounts in a control. */
  newClientOrderId(): string
  /**
   * The client order id that follows from names of yours: always the same one for the same names, login and endpoint of the client,
   * and key. The journal makes its ids so. Nobody can guess it who does not have the key.
   *
   * @param key default the control key that the client was made with: after `useCredentials` the ids stay the same
   */
  derivedClientOrderId(names: readonly string[], key?: string | Secret): string
  /**
   * Polls the signed status of an order at the documented cadence until it is final, at most `deadlineMs`; a callback
   * shortens the wait. `undecided` is not a failure: the customer may still be charged.
   *
   *     const { outcome } = await client.waitForOutcome({ clientOrderId })  // 'approved', 'declined', ... 'undecided'
   *
   * @throws PaymentError `AUTH_REJECTED` or `INVALID_INPUT`, which polling cannot fix; the reason of the signal
   */
  waitForOutcome(order: OrderRef, options?: WaitOptions): Promise<Outcome>
  /** As `waitForOutcome`, yielding each status check: for a page that shows progress. */
  watchOutcome(order: OrderRef, options?: WaitOptions): AsyncGenerator<StatusPoll, Outcome, undefined>
  /** Makes waits for this order check sooner, as a callback does. Only the status decides. */
  wake(clientOrderId: string): void
  /**
   * Whether a callback or browser return is signed with this merchant's control key, or that of the `credentials`. Calls
   * `onWarning` if not. The amount is not signed.
   */
  verifiesCallback(callback: Callback, options?: Pick<CallOptions, 'credentials'>): boolean
  /**
   * Signs all further calls with these, to change keys without a restart. Callbacks signed with the previous keys are still
   * accepted, since the gateway may have sent them already.
   *
   * @throws TypeError for anything but a result of `merchantCredentials`; the keys stay as they were
   */
  useCredentials(credentials: Credentials): void
  /**
   * Whether the gateway accepts the login and the control key, before the first payment. Asks for the status of an order that
   * cannot exist, and so creates nothing. Finds a wrong login, which the signature of a sale does not contain. Says nothing
   * about `privateKey`, which signs no reads, nor about a gateway that answers before it verifies. Never throws a
   * `PaymentError`: the result has the error, with a remedy.
   *
   *     const check = await client.checkCredentials()
   *     if (check.credentials !== 'right') throw new Error(check.remedy)
   */
  checkCredentials(options?: CallOptions): Promise<CredentialCheck>
  /** Takes a payment through 3-D Secure in the customer's browser. */
  readonly threeDs: ThreeDs
  /** The endpoint or group of calls that name no other. */
  readonly endpoint: Endpoint
  /** Decimals of amounts, from the profile: `always-2`, or by `iso-4217`. */
  readonly exponents: Exponents
  /** Finishes the calls under way, then ends the connections. Waits for outcomes end `undecided`. */
  close(): Promise<void>
}
