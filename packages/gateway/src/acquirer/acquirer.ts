import type { Cvv, OperationKind, Pan } from '@tallystick/core'
import type { AuthenticationRequest, AuthenticationStep } from '../orders/order.ts'

/** A card as it is handed to the acquirer, once. */
export interface AcquirerCard {
  readonly pan: Pan
  readonly expireMonth: string | undefined
  readonly expireYear: string | undefined
  readonly cvv: Cvv | undefined
  /** As it is printed on the card, however that came: with the request, from a page or out of the vault. */
  readonly cardholderName?: string | undefined
}

/** Where money goes that is sent out: a card, an account, a wallet or a phone (gaps part 3.2). */
export interface AcquirerDestination {
  readonly pan?: Pan | undefined
  /** Of the card, as far as it is known; the next two as well. */
  readonly expireMonth?: string | undefined
  readonly expireYear?: string | undefined
  readonly cardholderName?: string | undefined
  readonly accountNumber?: string | undefined
  readonly routingNumber?: string | undefined
  readonly bankName?: string | undefined
  readonly bankBranch?: string | undefined
  readonly wallet?: string | undefined
  readonly walletType?: string | undefined
  readonly phone?: string | undefined
}

/**
 * What a request says besides card numbers, CVV, expiry and login: of the payer, the receiver and his bank, the purpose, the
 * browser. An acquirer that insists on some of it has them in the endpoint's `requiredFields` (gaps part 2.4).
 */
export interface Particulars {
  /** By the names of the models, such as `receiverLastName`; each fits its bounds. A boolean is `true` or `false`. */
  readonly fields: Readonly<Record<string, string>>
  /** Fields that no model has, by their names on the wire: nothing of them was checked. */
  readonly extra: Readonly<Record<string, string>>
}

/** Who pays and who receives: what must not be stored, or only sealed. */
export interface Instrument {
  readonly card?: AcquirerCard | undefined
  readonly destination?: AcquirerDestination | undefined
  /**
   * With a card from a hosted page: what the request for the page said, and the name on the card. With a charge on schedule: what
   * the request for the schedule said. Both without `extra`.
   */
  readonly particulars?: Particulars | undefined
}

/** An operation without card data. */
export interface Instruction {
  /** Unique for each operation: the acquirer carries one out once, and looks it up by this. */
  readonly reference: string
  readonly kind: OperationKind
  /** What `prepare` gave for the order's instrument. */
  readonly prepared: string
  readonly orderId: string
  /** In minor units of so many `decimals`. */
  readonly amount: bigint
  readonly currency: string
  /**
   * How many decimals `amount` has. By default 2 in every currency, whatever ISO 4217 says: 1000 yen are 100000n, and 1.5 dinars of
   * Kuwait 150n. With `exponents: 'iso-4217'` as the currency has: 1000n with 0, and 1500n with 3.
   */
  readonly decimals: number
  /** Why a void or a return was asked for, in the merchant's words. */
  readonly comment?: string | undefined
  /** The customer's browser; absent where no customer is there. */
  readonly browser?: BrowserAddresses | undefined
}

/** Where the customer's browser can be sent during 3DS. */
export interface BrowserAddresses {
  /** What the pages of the gateway begin with. */
  readonly baseUrl: string
  /** The last part of the addresses of this order's pages. */
  readonly pageToken: string
}

/** What the acquirer gave for an instrument. */
export interface Prepared {
  /** Opaque: all that is stored of it. */
  readonly reference: string
  /** Whether the customer may have to authenticate by 3DS: where not, a decision that awaits a step counts as none. */
  readonly authenticates: boolean
}

/** What the acquirer decided. */
export type Decision =
  | {
      readonly status: 'approved'
      readonly approvalCode: string
      readonly processorTxId: string
      /** How the customer was authenticated by 3DS (gaps part 4); absent where nobody was. */
      readonly verified3dStatus?: 'AUTHENTICATED' | undefined
    }
  /** The merchant is told the message: with card numbers masked, and 500 characters at most. */
  | { readonly status: 'declined' | 'filtered' | 'error'; readonly errorCode: string; readonly errorMessage: string }
  /** The acquirer does not know; it may turn into any final status later. */
  | { readonly status: 'unknown' }
  /** The customer has to authenticate first. */
  | { readonly status: 'processing'; readonly awaits: AuthenticationRequest }

/** The result of a 3DS step, as the merchant uploaded it or the customer's browser brought it. */
export interface AuthenticationResult {
  readonly step: AuthenticationStep
  /** CRes, PaRes, or how the method step went (`Y`, `N`, `U`). */
  readonly value: string
  /** What an upload said besides, such as the browser's fingerprint with the method step. Absent where the browser brought it. */
  readonly particulars?: Particulars | undefined
}

/**
 * The bank's side. Each is a call over a network: none is made inside a change of the store.
 */
export interface Acquirer {
  /** Whether customers authenticate at the access control server that the gateway simulates, and so serves. */
  readonly isSimulated?: boolean | undefined
  /**
   * Takes the instrument, with the CVV, before the request is acknowledged, and gives an opaque reference for it: the gateway
   * stores no CVV, not even for a moment. One that is never used costs nothing, such as one that comes after the 30 seconds
   * that a request may take.
   */
  prepare(instrument: Instrument): Promise<Prepared>
  /**
   * Carries an operation out. Called once for each reference; what became of it is asked by `lookup`, also when 15 minutes have
   * brought no answer.
   */
  execute(instruction: Instruction): Promise<Decision>
  /** Goes on with an operation that awaited a 3DS step. */
  authenticate(instruction: Instruction, result: AuthenticationResult): Promise<Decision>
  /**
   * What became of an operation. `undefined`: it was never carried out, and never will be. Asked again later where 50 seconds bring
   * no answer.
   */
  lookup(instruction: Instruction): Promise<Decision | undefined>
}
