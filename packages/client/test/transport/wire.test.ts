import { expect, test } from 'vitest'
import { wireAddresses } from '../../src/transport/wire.ts'

test('parses an address as URL does, once', () => {
  const addressOf = wireAddresses()
  const address = addressOf('HTTPS://Gate.Example.com:443/paynet/api/v2/sale/253?a=1')
  expect(address).toEqual({ origin: 'https://gate.example.com', path: '/paynet/api/v2/sale/253?a=1' })
  expect(addressOf('HTTPS://Gate.Example.com:443/paynet/api/v2/sale/253?a=1')).toBe(address)
})

test('stores five hundred addresses at most', () => {
  const addressOf = wireAddresses()
  const first = addressOf('https://gate.example.com/1')
  for (let id = 2; id <= 500; id++) addressOf(`https://gate.example.com/${id}`)
  expect(addressOf('https://gate.example.com/1')).toBe(first)
  addressOf('https://gate.example.com/501')
  expect(addressOf('https://gate.example.com/1')).not.toBe(first)
  expect(addressOf('https://gate.example.com/1')).toEqual(first)
})
