import { expect, test } from 'vitest'
import { chooseStaffPassword, refuseOtherSites } from '../src/access.ts'

test('the password of the back office is new each time, unless the operator has chosen a long one', () => {
  const some = new Set([1, 2, 3].map(() => chooseStaffPassword({ BACK_OFFICE_PASSWORD: '' })))
  expect(some.size).toBe(3)
  for (const each of some) expect(each).toMatch(/^[\w-]{22}$/) // 128 bits
  expect(chooseStaffPassword({ BACK_OFFICE_PASSWORD: 'sixteen letters!' })).toBe('sixteen letters!')
  expect(() => chooseStaffPassword({ BACK_OFFICE_PASSWORD: 'fifteen letters' })).toThrow(
    'BACK_OFFICE_PASSWORD needs at least 16 characters',
  )
})

test('a shop on the internet answers to its own name, and not to that of the machine', () => {
  const at = (host: string, headers = {}) =>
    refuseOtherSites({ method: 'POST', headers: { host, ...headers } }, 'https://shop.example.com')?.status
  expect(at('shop.example.com', { origin: 'https://shop.example.com' })).toBeUndefined()
  expect(at('shop.example.com', { origin: 'http://shop.example.com' })).toBe(403)
  for (const host of ['localhost', 'localhost:', '127.0.0.1', 'shop.example.com:8080', 'example.com'])
    expect(at(host)).toBe(421)
})
