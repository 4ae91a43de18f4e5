import type { CallbackAddressIssue } from './callback-address.ts'

/** No connection was opened: the gateway does not call this address. */
export class AddressNotAllowedError extends Error {
  override readonly name = 'AddressNotAllowedError'
  readonly code = 'ADDRESS_NOT_ALLOWED'
  readonly issue: CallbackAddressIssue

  constructor(issue: CallbackAddressIssue) {
    super(`The address of a callback is not allowed (${issue})`)
    this.issue = issue
  }
}
