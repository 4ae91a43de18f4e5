import type { OrderOperation, OrderTerms } from '@tallystick/core'

/** An order as the gateway stores it: its operations, and what holds for all of them. No card number, no CVV, no key. */
export interface StoredOrder {
  /** Decimal text of exactly 15 digits without a leading zero (gaps part 13). */
  readonly orderId: string
  /** Counts the changes. A change names the version that it is based on. */
  readonly version: number
  readonly login: string
  readonly endpointId: string
  readonly clientOrderId: string
  /** Keyed digest of the request without its CVV. A repeat of the same request has the same digest. */
  readonly digest: string
  /**
   * The control of its request, in lower case. No other order of the merchant was signed with the same control. Absent for
   * OAuth, and if client order ids may be used again.
   */
  readonly signedAs?: string | undefined
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly terms: OrderTerms
  /** Oldest first. Each is appended once and moves on as the rules allow. */
  readonly operations: readonly StoredOperation[]
  readonly details: OrderDetails
}

/** One operation, including what the rules do not read. */
export interface StoredOperation extends OrderOperation {
  /** The serial number of the request that made it, or its own if the gateway or the issuer made it. */
  readonly serialNumber: string
  /** The acquirer's reference for the card, once it has the card. */
  readonly token?: string | undefined
  readonly outcome: OperationOutcome
}

/** How the bank names what it did (gaps part 4). Each is at most 500 characters. */
export interface BankReferences {
  /** The issuer's approval code. */
  readonly approvalCode?: string | undefined
  /** The acquirer's id of the transaction. */
  readonly processorTxId?: string | undefined
  /** The retrieval reference number. */
  readonly rrn?: string | undefined
  /** The retrieval reference number of the credit, if money goes to the customer by an operation of its own. */
  readonly creditRrn?: string | undefined
  /** The acquirer reference number of the debit. */
  readonly arn?: string | undefined
  /** The acquirer reference number of the credit. */
  readonly creditArn?: string | undefined
  readonly creditApprovalCode?: string | undefined
  readonly terminalId?: string | undefined
  /** The batch that the acquirer settles it with. */
  readonly batchId?: string | undefined
  /** The issuer's response code. */
  readonly responseCode?: string | undefined
  /** The acquirer's code of a refusal, or the scheme's of a chargeback. */
  readonly reasonCode?: string | undefined
  /** Milliseconds since 1970: when the acquirer processed it. */
  readonly processedAt?: number | undefined
}

/** What came of the operation, and why it was requested. */
export interface OperationOutcome extends BankReferences {
  /** Why it was requested, in the merchant's words (gaps part 3.2). */
  readonly comment?: string | undefined
  readonly orderStage?: string | undefined
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
  /** How the customer was authenticated by 3DS. */
  readonly verified3dStatus?: 'AUTHENTICATED' | undefined
  /** How the 3DS method step went (`threeDSCompInd`, interface part 2). */
  readonly methodCompletion?: MethodCompletion | undefined
  /** The 3DS step that the customer has to take before the operation continues. */
  readonly awaits?: AuthenticationRequest | undefined
  /** That the acquirer was given the result of a 3DS step, until it has answered. */
  readonly submitted?: SubmittedResult | undefined
  /** A payout-check that was reported as declined because it was not paid in time. */
  readonly isExpired?: true | undefined
}

/** Records that the result of a 3DS step came. It is given to the acquirer once, and not stored. */
export interface SubmittedResult {
  readonly step: AuthenticationStep
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What the customer's browser is asked to do in a step of 3DS (gaps parts 8 and 13). */
export type AuthenticationRequest =
  | {
      readonly step: 'method'
      /** Absent if the issuer has none: the step then ends with `U` (interface part 2). */
      readonly methodUrl?: string | undefined
      readonly threeDsServerTransId: string
    }
  | {
      readonly step: 'challenge'
      readonly acsUrl: string
      /** In base64url. */
      readonly creq: string
      /** Comes back with the CRes. Empty if there is none. */
      readonly threeDsSessionData: string
    }
  | { readonly step: 'pareq'; readonly acsUrl: string; readonly paReq: string; readonly md: string }

/** Completed, not completed in time, or there was no method URL. */
export type MethodCompletion = 'Y' | 'N' | 'U'

/** The steps of 3DS whose result is uploaded (interface part 4). */
export type AuthenticationStep = AuthenticationRequest['step']

/** What the browser is asked to do in this step. */
export type AuthenticationRequestOf<Step extends AuthenticationStep> = Extract<
  AuthenticationRequest,
  { readonly step: Step }
>

/** What the request for an order said, as far as it may be stored. */
export interface OrderDetails {
  /** Who started it and what it goes on from, for the acquirer. Absent: a customer, by the endpoint itself. */
  readonly origin?: OrderOrigin | undefined
  readonly card?: OrderCard | undefined
  readonly destination?: OrderDestination | undefined
  readonly payer: OrderPayer
  readonly addresses: OrderAddresses
  readonly merchantData?: string | undefined
  readonly orderDesc?: string | undefined
  readonly preferredLanguage?: string | undefined
  /** The payer's token, if the order was paid with one: the reference of the stored card. */
  readonly recurringPaymentId?: string | undefined
  /** The gateway's pages for the customer: a hosted form, or 3DS by redirect. */
  readonly pages?: OrderPages | undefined
}

/**
 * Who started a payment: a customer who is there, the merchant alone (a rebill, a payout, a transfer from the deposit), or the
 * schedule of a recurring payment. Schemes want to know it of every payment with a stored card.
 */
export type Initiator = 'cardholder' | 'merchant' | 'schedule'

/** A payment that was made before, as the acquirer knows it: by the reference of its operation, and by its own references. */
export interface PastPayment extends BankReferences {
  /** Of its operation, as `execute` had it. */
  readonly reference: string
  readonly orderId: string
  readonly clientOrderId: string
  /** Milliseconds since 1970: when it came to its last status. */
  readonly at: number
}

/** Where an order comes from, besides its request. */
export interface OrderOrigin {
  /** The group that the request was sent to. */
  readonly groupId?: string | undefined
  readonly initiatedBy?: Initiator | undefined
  readonly firstPayment?: PastPayment | undefined
}

/** What may be stored and shown of the card that pays. */
export interface OrderCard {
  /** The card's id in the vault. */
  readonly cardId: string
  readonly bin: string
  readonly lastFourDigits: string
  readonly cardType: string
  readonly cardholderName?: string | undefined
  readonly cardExpireMonth?: string | undefined
  readonly cardExpireYear?: string | undefined
}

/** Where a payout or a transfer goes, as far as it may be shown. */
export interface OrderDestination {
  readonly cardId?: string | undefined
  readonly bin?: string | undefined
  readonly lastFourDigits?: string | undefined
  readonly cardType?: string | undefined
  readonly bankName?: string | undefined
}

/** Who pays, as the request said. */
export interface OrderPayer {
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

/** Where the browser returns to, and where callbacks go (gaps parts 3.1 and 6). */
export interface OrderAddresses {
  readonly redirectUrl?: string | undefined
  readonly redirectSuccessUrl?: string | undefined
  readonly redirectFailUrl?: string | undefined
  /** Called for the original transaction only. */
  readonly serverCallbackUrl?: string | undefined
  /** Called for later operations, and for the original transaction if there is no `serverCallbackUrl`. */
  readonly notifyUrl?: string | undefined
}

/** The pages of an order (interface part 4, the form operations; gaps parts 8 and 13). */
export interface OrderPages {
  /** The unguessable last part of their addresses. */
  readonly token: string
  /** The form that asks for the card. Absent if the request had the card. */
  readonly form?: HostedForm | undefined
  /** Sealed: what the request said about who pays or receives. Deleted once the form is accepted or its time is over. */
  readonly requestFields?: string | undefined
  /** How often the form was sent with details that could not be accepted. */
  readonly tries?: number | undefined
  /** How often a wrong code was typed at the simulated issuer. */
  readonly wrongCodes?: number | undefined
  /** Who takes the customer through 3DS: the gateway's own pages, or the merchant's with the three uploads. */
  readonly threeDs?: 'redirect' | 'server' | undefined
}

/** The forms on pages of the gateway. */
export type HostedForm = 'sale' | 'preauth' | 'account-verification' | 'payment' | 'payout'
