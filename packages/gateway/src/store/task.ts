/** Work that is due at an instant, whoever is running then. */
export interface Task {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly dueAt: number
  /** `release`: what is on hold expires. `lookup`: the acquirer did not know an outcome and is asked again. */
  readonly kind: 'release' | 'lookup'
  readonly orderId: string
  /** How often it was tried. */
  readonly tried: number
}
