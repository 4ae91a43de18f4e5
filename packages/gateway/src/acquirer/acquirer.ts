import type { Cvv, OperationKind, OperationStatus, Pan } from '@tallystick/core'
import type {
  AuthenticationRequest,
  AuthenticationStep,
  BankReferences,
  Initiator,
  PastPayment,
} from '../orders/order.ts'

/** A card as the acquirer receives it, once. */
export interface AcquirerCard {
  readonly pan: Pan
  readonly expireMonth: string | undefined
  readonly expireYear: string | undefined
  readonly cvv: Cvv | undefined
  /** As printed on the card: from the request, a page or the vault. */
  readonly cardholderName?: string | undefined
}

/** Where a payout or transfer sends money: a card, an account, a wallet or a phone (gaps part 3.2). */
export interface AcquirerDestination {
  readonly pan?: Pan | undefined
  /** Like the next two: of the card, if known. */
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
 * What a request says besides card numbers, CVV, expiry and login: about the payer, the receiver and their bank, the purpose,
 * the browser. If an acquirer insists on some fields, list them in the endpoint's `requiredFields` (gaps part 2.4).
 */
export interface RequestFields {
  /** By their names in the models, such as `receiverLastName`. Each is within its bounds; a boolean is `true` or `false`. */
  readonly fields: Readonly<Record<string, string>>
  /** Fields that no model has, by their names on the wire. They are unchecked. */
  readonly extra: Readonly<Record<string, string>>
}

/** Who pays and who receives. It must not be stored, unless sealed. */
export interface PaymentMethod {
  readonly card?: AcquirerCard | undefined
  readonly destination?: AcquirerDestination | undefined
  /**
   * With a card from a hosted page: the fields of the request for the page, and the name on the card. With a scheduled charge: those
   * of the request for the schedule. Both without `extra`.
   */
  readonly requestFields?: RequestFields | undefined
}

/** For whom a payment is, and what it goes on from. In every call, so that a bank can tell merchants and terminals apart. */
export interface PaymentOrigin {
  readonly login: string
  readonly endpointId: string
  /** The group that the request was sent to, if it was not sent to the endpoint itself. */
  readonly groupId?: string | undefined
  readonly clientOrderId: string
  readonly initiatedBy: Initiator
  /**
   * With a stored card: the payment that its reference was made from, or the first approved charge of its schedule. Absent:
   * there was none at this gateway.
   */
  readonly firstPayment?: PastPayment | undefined
}

/** An earlier operation of the same order. */
export interface PastOperation extends PastPayment {
  readonly kind: OperationKind
  readonly status: OperationStatus
  /** In minor units, like that of the operation's request. */
  readonly amount: bigint
}

/** What `tokenize` receives: the payment method, and the payment that it is for. */
export interface TokenizationRequest extends PaymentOrigin, PaymentMethod {
  readonly kind: OperationKind
  /** In minor units: see `decimals` of an `OperationRequest`. 0 if no money moves. */
  readonly amount: bigint
  readonly currency: string
  readonly decimals: number
  /** Milliseconds since 1970, by the clock of the gateway. */
  readonly at: number
}

/** An operation for the acquirer to carry out, without card data. */
export interface OperationRequest extends PaymentOrigin {
  /** Unique for each operation. The acquirer carries an operation out only once per reference, and looks it up by this. */
  readonly reference: string
  readonly kind: OperationKind
  /** The `reference` that `tokenize` returned for the order's payment method. */
  readonly token: string
  readonly orderId: string
  /** In minor units: see `decimals`. */
  readonly amount: bigint
  readonly currency: string
  /**
   * How many decimals `amount` has. By default 2 in every currency, whatever ISO 4217 says: 1000 yen are 100000n, and 1.5
   * Kuwaiti dinars 150n. With `exponents: 'iso-4217'`, as many as the currency has: 1000n with 0, and 1500n with 3.
   */
  readonly decimals: number
  /**
   * The earlier operations of the order, oldest first: the first is the original that a capture, a void or a return is about.
   * Empty for the operation that opens the order.
   */
  readonly history: readonly PastOperation[]
  /** Why the merchant requested a void or a return, in their words. */
  readonly comment?: string | undefined
  /** The customer's browser. Absent: no customer is present. */
  readonly browser?: BrowserAddresses | undefined
}

/** Where the customer's browser can be sent during 3DS. */
export interface BrowserAddresses {
  /** What the pages of the gateway begin with. */
  readonly baseUrl: string
  /** The last part of the addresses of this order's pages. */
  readonly pageToken: string
}

/** What the acquirer returns for a payment method. */
export interface Token {
  /** Opaque: all that the gateway stores of the payment method. */
  readonly reference: string
  /** Whether the customer may have to authenticate by 3DS. If not, a decision that awaits a 3DS step counts as no decision. */
  readonly authenticates: boolean
}

/**
 * The acquirer does not do this: there is no order, and the merchant's request is answered 400 with the reason, with card data
 * removed and at most 500 characters of it. A customer who sent a hosted form is asked for another card or account.
 */
export interface TokenizationRefused {
  /** One sentence that tells the merchant what to change: `This bank accepts cards only.` */
  readonly refused: string
}

/** What the acquirer decided. Statuses and callbacks show all references that there are. */
export type Decision =
  | ({
      readonly status: 'approved'
      readonly approvalCode: string
      readonly processorTxId: string
      /** Present if the customer was authenticated by 3DS (gaps part 4). */
      readonly verified3dStatus?: 'AUTHENTICATED' | undefined
    } & BankReferences)
  /** The gateway shows the merchant the message with card data removed, and at most 500 characters of it. */
  | ({
      readonly status: 'declined' | 'filtered' | 'error'
      readonly errorCode: string
      readonly errorMessage: string
    } & BankReferences)
  /** The acquirer does not know. It may turn into any final status later. */
  | { readonly status: 'unknown' }
  /** The customer has to authenticate first. */
  | { readonly status: 'processing'; readonly awaits: AuthenticationRequest }

/** The result of a 3DS step, as the merchant uploaded it or the customer's browser brought it. */
export interface AuthenticationResponse {
  readonly step: AuthenticationStep
  /** The CRes, the PaRes, or how the method step went (`Y`, `N`, `U`). */
  readonly value: string
  /** What else an upload said, such as the browser's fingerprint with the method step. Absent if the browser brought `value`. */
  readonly requestFields?: RequestFields | undefined
}

/**
 * The bank's side. Each method is a call over a network, so the gateway makes none inside a change of the store.
 */
export interface Acquirer {
  /** Whether customers authenticate at the simulated access control server, which the gateway then serves. */
  readonly isSimulated?: boolean | undefined
  /**
   * Takes the payment method with its CVV, before the gateway acknowledges the request, and returns an opaque reference for it: the
   * gateway stores no CVV, not even for a moment. A reference that is never used must cost nothing, such as one that comes
   * after the 30 seconds that a request may take. What the bank does not do at all is refused here.
   */
  tokenize(request: TokenizationRequest): Promise<Token | TokenizationRefused>
  /**
   * Carries an operation out. The gateway calls this once for each reference. If there is no answer after 15 minutes, or none
   * that decides, it asks `lookup` what became of the operation.
   */
  execute(request: OperationRequest): Promise<Decision>
  /**
   * Goes on with an operation that awaited a 3DS step. Browsers bring results, and one may bring that of another payment or one that
   * it made up: check that it is about what this operation was asked for, and take the issuer's own word that it is true.
   */
  authenticate(request: OperationRequest, result: AuthenticationResponse): Promise<Decision>
  /**
   * What became of an operation. `undefined`: it was never carried out, and never will be. If there is no answer within 50
   * seconds, the gateway asks again later.
   */
  lookup(request: OperationRequest): Promise<Decision | undefined>
}
