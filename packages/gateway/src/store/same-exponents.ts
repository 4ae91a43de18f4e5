import type { Profile } from '@tallystick/core'
import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'

const NAME = 'exponents'

/**
 * Refuses exponents other than those of the stored amounts. Amounts are stored in minor units, so 1000 yen would become 100000,
 * or 10. The first process on the store notes its exponents.
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
      'set exponents to what it was, or use a new store',
  )
}
