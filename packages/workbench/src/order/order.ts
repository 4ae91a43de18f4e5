/** What the page has of `GET /__sandbox/orders/{orderId}`: amounts in major units, times in ISO 8601. */
export interface Order {
  readonly orderId: string
  readonly clientOrderId: string
  readonly login: string
  readonly endpointId: string
  readonly status: string
  readonly transactionType: string
  readonly orderStage?: string
  readonly amount?: string
  readonly initialAmount?: string
  readonly currency: string
  readonly card?: { readonly bin: string; readonly lastFourDigits: string; readonly cardType?: string }
  readonly faults: readonly string[]
  readonly operations: ReadonlyArray<{
    readonly id: string
    readonly kind: string
    readonly amount?: string
    readonly status: string
    readonly createdAt: string
    readonly statusAt: string
    readonly errorCode?: string | undefined
    readonly errorMessage?: string
    readonly awaits?: string
    /** Of the request that made it. */
    readonly serialNumber?: string | undefined
  }>
  readonly postings: ReadonlyArray<{
    readonly operationId: string
    readonly account: string
    readonly amount: string
    readonly currency: string
    readonly at: string
  }>
  readonly tasks: ReadonlyArray<{ readonly id: string; readonly kind: string; readonly dueAt: string }>
  readonly callbacks: ReadonlyArray<{ readonly id: string; readonly dueAt?: string }>
  readonly actions: readonly OrderAdvice[]
}

/** What may be done with an order now, or the rule that refuses it. */
export interface OrderAdvice {
  readonly action: string
  readonly by: 'merchant' | 'gateway' | 'issuer'
  readonly allowed: boolean
  /** The operation that it would make. */
  readonly kind?: string
  readonly upTo?: string
  /** Whether less than `upTo` may be named. */
  readonly partial?: boolean
  readonly rule?: string
  readonly reason?: string
}
