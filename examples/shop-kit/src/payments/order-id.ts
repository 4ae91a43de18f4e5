import { randomInt } from 'node:crypto'

/** Letters and digits that nobody takes for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 12

/** The number of an order: short enough to be read out, with 58 random bits, since whoever knows it sees the order. */
export function newOrderId(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
