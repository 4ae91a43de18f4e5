import type { Profile } from '@tallystick/core'
import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'

const NAME = 'exponents'

/**
 * Refuses to count the decimals of currencies otherwise than those who wrote what is kept: amounts are kept in minor units, so 1000
 * yen would be 100000, or 10. The first that comes notes how.
 *
 * @throws StoreError `EXPONENTS` that says what to do
 */
export async function requireSameExponents(
  { exponents }: Pick<Profile, 'exponents'>,
  { keyNotes }: Pick<Store, 'keyNotes'>,
): Promise<void> {
  const noted = (await keyNotes?.note([{ name: NAME, value: exponents }])) ?? []
  const kept = noted.find(({ name }) => name === NAME)?.value ?? exponents
  if (kept === exponents) return
  throw new StoreError(
    'EXPONENTS',
    `The amounts in this store are counted with the exponents ${kept}, and would be others with ${exponents}: ` +
      'set exponents to what it was, or take a store that is new',
  )
}
