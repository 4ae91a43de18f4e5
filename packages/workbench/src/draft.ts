/** What the page has of `GET /__sandbox/requests/{id}`: a recorded request put right. */
export interface Draft {
  readonly operation: string
  readonly url: string
  readonly endpoint: { readonly id: string; readonly isGroup: boolean }
  readonly login: string
  readonly baseUrl: string
  readonly brand: Readonly<Record<string, unknown>>
  readonly fields: readonly DraftField[]
  readonly signature?: DraftSignature
  readonly notes: readonly string[]
}

export interface DraftField {
  /** On the wire. */
  readonly name: string
  /** In the client; absent for a field that is not documented. */
  readonly field?: string
  readonly value: string
}

export type DraftSignature =
  | { readonly scheme: 'control'; readonly terms: ReadonlyArray<{ readonly term: string; readonly text: string }> }
  | { readonly scheme: 'HMAC-SHA1' | 'RSA-SHA256'; readonly url: string }

/** What the page has of `GET /__sandbox/operations/{operation}`. */
export interface OperationReference {
  readonly key: string
  readonly name: string
  readonly meaning: string
  readonly effect: string
  readonly signature: string
  readonly paths: readonly string[]
  readonly fields: readonly FieldReference[]
  readonly example: readonly DraftField[]
}

export interface FieldReference {
  readonly name: string
  readonly field: string
  readonly meaning: string
  /** `always`, `no`, or when. */
  readonly required: string
  readonly bound: string
  readonly shape: { readonly enum?: readonly string[]; readonly maxLength?: number }
}

/** What `POST /__sandbox/requests` answers. */
export interface SentRequest {
  /** In the recording, if there is one. */
  readonly request?: number
  readonly reply?: number
  readonly orderId?: string
  readonly httpStatus: number
  /** Where a customer is to be sent. */
  readonly page?: string
}

/** Where the documentation has an operation. */
export function referenceOf(operation: string): string {
  const page = PAGES.find(([, names]) => names.test(operation))?.[0] ?? 'payments'
  return `docs/reference/${page}.md#${operation.toLowerCase()}`
}

const PAGES: ReadonlyArray<readonly [page: string, names: RegExp]> = [
  ['three-ds', /^upload/],
  ['stored-cards', /Card(?:Ref|Info)|makeRebill|Recurring/],
  ['payouts', /^(?:payout|transfer|panEligibility)/],
]
