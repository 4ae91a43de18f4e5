import type { RoutedInstance } from './taken-paths.ts'

/** What is known of an instance when the app starts. */
export interface RegisteredInstance extends RoutedInstance {
  readonly hasJournal: boolean
  /** Whether it has an `onOutcome` of its own. */
  readonly hasListener: boolean
}
