import { expect, test } from 'vitest'
import { UnderWay, wireAddresses } from '../../src/transport/wire.ts'

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

test('none() resolves at once if nothing is under way, else when the last exchange has ended', async () => {
  const underWay = new UnderWay()
  await underWay.none()
  underWay.begin()
  underWay.begin()
  let isOver = false
  const none = [underWay.none(), underWay.none()].map((each) => each.then(() => (isOver = true)))
  underWay.end()
  await Promise.resolve()
  expect(isOver).toBe(false)
  underWay.end()
  await Promise.all(none)
  expect(isOver).toBe(true)
  await underWay.none()
})
