import { Pan } from '@tallystick/core'
import fc from 'fast-check'
import { pooledRandomness } from '../../src/runtime/system.ts'
import { newVaultKeys, readVaultKeys, type VaultKeys } from '../../src/vault/keys.ts'
import { type CardToSeal, createVault, type Vault } from '../../src/vault/vault.ts'

export const random = pooledRandomness()

/** Made when a test asks for them: no key is ever part of the repository. */
export function freshKeys(id = 'first'): VaultKeys {
  return readVaultKeys(newVaultKeys(random, id).reveal())
}

/** The same keys with a new one, which is current. */
export function rotatedKeys(keys: VaultKeys, id: string): VaultKeys {
  return { ...keys, current: id, wrapping: new Map([...keys.wrapping, ...freshKeys(id).wrapping]) }
}

export function vaultOf(keys: VaultKeys): Vault {
  return createVault({ keys, random, now: Date.now })
}

export const PAN = '4485940822379130'
export const CARD: CardToSeal = {
  pan: new Pan(PAN),
  cardholderName: 'JOHN DOE',
  expireMonth: '12',
  expireYear: '2031',
}

/** ISO/IEC 7812-1 annex B: doubling begins next to the check digit, and a product of two digits counts as their sum. */
function checkDigit(payload: string): string {
  const weighted = [...payload].reverse().map((digit, at) => Number(digit) * (at % 2 === 0 ? 2 : 1))
  const sum = weighted.reduce((total, value) => total + Math.floor(value / 10) + (value % 10), 0)
  return String((10 - (sum % 10)) % 10)
}

const digits = fc.constantFrom(...'0123456789')
export const anyPan: fc.Arbitrary<string> = fc
  .string({ unit: digits, minLength: 11, maxLength: 18 })
  .map((payload) => payload + checkDigit(payload))

const anyText = fc.string({ unit: 'binary', maxLength: 20 })
const orNone = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

export const anyLogin = fc.oneof(anyText, fc.constantFrom('shop', 'rival'))
export const anyCard: fc.Arbitrary<CardToSeal> = fc.record({
  pan: anyPan.map((text) => new Pan(text)),
  cardholderName: orNone(anyText),
  expireMonth: orNone(fc.constantFrom('01', '12')),
  expireYear: orNone(fc.constantFrom('2031', '2032')),
})

export function errorOf(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}
