import { randomInt } from 'node:crypto'

/** Letters and digits that are not confused with one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 12

/** The number of an order: short enough to read out, with 58 random bits, because anyone who knows it can see the order. */
export function newOrderId(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
