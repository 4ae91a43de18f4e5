import type { Trial } from './trial.ts'
import type { TrialSettings } from './trial-settings.ts'
import type { Cost } from './verdict.ts'

export const GROUPS = ['plain', 'replies', 'callbacks', 'customer', 'shop', 'refunds'] as const

/** One thing that goes wrong, and what a shop has to make of it. */
export interface Scenario {
  readonly id: string
  readonly group: (typeof GROUPS)[number]
  /** One line. */
  readonly title: string
  /** What is right, and why: a paragraph, with ids of `spec/requirements` in brackets. */
  readonly right: string
  /** What it mostly costs if a shop is wrong here. A finding may say otherwise. */
  readonly cost: Cost
  /** Not beside others: it stops the shop, or keeps it busy. */
  readonly isAlone?: true
  /** It waits in real time for a timer of the shop, or for its start: the others wait for a while in which a mistake shows. */
  readonly waits?: true
  readonly settings?: TrialSettings
  readonly run: (trial: Trial) => Promise<void>
}
