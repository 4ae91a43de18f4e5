import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import type { Store } from '../store/store.ts'
import type { SealedCard } from '../vault/sealed-card.ts'
import { type Vault, VaultError } from '../vault/vault.ts'

/** What a rotation works on, and how its progress is reported. */
export interface RotationOptions {
  readonly store: Pick<Store, 'cardsNotUnder' | 'rewrapCard'>
  readonly vault: Vault
  /** How many cards to read and write at once. Default 100. */
  readonly batch?: number | undefined
  /** Called with the counts so far after each batch. */
  readonly onProgress?: ((soFar: RotationCounts) => void) | undefined
  /** Called for each card that does not open. The card stays as it is. */
  readonly onRefused?: ((cardId: string, error: VaultError) => void) | undefined
  /** Stops the rotation after the current batch. */
  readonly signal?: AbortSignal | undefined
}

/** How many cards a rotation has dealt with, by what became of them. */
export interface RotationCounts {
  readonly rewrapped: number
  /** Cards that something else changed meanwhile, such as a second rotation. */
  readonly overtaken: number
  /** Cards that do not open: their key is missing, or they are not what was sealed. */
  readonly refused: number
}

/** What a rotation of keys did. */
export interface RotationResult extends RotationCounts {
  /** Whether all cards are under the current key. If so, the key file needs no other; if not, run the rotation again. */
  readonly complete: boolean
}

type Outcome = keyof RotationCounts

const KINDS: Validators<RotationOptions> = {
  store: validator.required(
    validator.withMethods('a store, such as sqliteStore({ file })', 'cardsNotUnder', 'rewrapCard'),
  ),
  vault: validator.required(validator.withMethods('what createVault gives', 'rewrap')),
  batch: validator.count,
  onProgress: validator.function,
  onRefused: validator.function,
  signal: validator.object,
}

/**
 * Rewraps each stored card under the current key. It stores no position: a card that is done is not listed again, so an
 * interrupted rotation continues when it is started again, and two at once do each other no harm.
 *
 * @throws TypeError for a wrong option
 */
export async function rotateCards(options: RotationOptions): Promise<RotationResult> {
  checkOptions('rotateCards', options, KINDS)
  const { store, vault, batch = 100, onProgress, signal } = options
  let counts: RotationCounts = { rewrapped: 0, overtaken: 0, refused: 0 }
  let after = ''
  while (signal?.aborted !== true) {
    const cards = await store.cardsNotUnder(vault.currentKeyId, after, batch)
    const last = cards.at(-1)
    if (last === undefined) break
    counts = withOutcomes(counts, await rewrapAll(cards, options))
    after = last.cardId
    onProgress?.(counts)
  }
  const [left] = await store.cardsNotUnder(vault.currentKeyId, '', 1)
  return { ...counts, complete: left === undefined }
}

/** All at once, so that they share a commit. Waits for every card, even if one fails. */
async function rewrapAll(cards: readonly SealedCard[], options: RotationOptions): Promise<readonly Outcome[]> {
  const settled = await Promise.allSettled(cards.map((card) => rewrapOne(card, options)))
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

async function rewrapOne(card: SealedCard, { store, vault, onRefused }: RotationOptions): Promise<Outcome> {
  try {
    return (await store.rewrapCard(vault.rewrap(card), card)) ? 'rewrapped' : 'overtaken'
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    onRefused?.(card.cardId, error)
    return 'refused'
  }
}

function withOutcomes(counts: RotationCounts, outcomes: readonly Outcome[]): RotationCounts {
  const count = (outcome: Outcome) => counts[outcome] + outcomes.filter((one) => one === outcome).length
  return { rewrapped: count('rewrapped'), overtaken: count('overtaken'), refused: count('refused') }
}
