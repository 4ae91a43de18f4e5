import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { CALLBACK_TRIALS, trialUrls } from '../../src/callbacks/trial.ts'

const KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const controlOf = (text: string, key = KEY) => createHash('sha1').update(`${text}${key}`).digest('hex')
const URL_OF = `https://shop.example/cb?shop=7?8&status=old&status=approved&orderid=531396663215663&client_orderid=inv-1&merchant_order=inv-1&amount=10.42&currency=EUR&name=J%20S&control=${controlOf('approved531396663215663inv-1')}`
const read = (url: string) => Object.fromEntries(new URL(url).searchParams)

test('[F-E12] a forged callback is as the true one, but for its control', () => {
  const [forged = '', ...others] = trialUrls(URL_OF, 'forged')
  expect(others).toEqual([])
  expect(forged.replace(/control=.*/, '')).toBe(URL_OF.replace(/control=.*/, ''))
  expect(read(forged)['control']).toMatch(/^[0-9a-f]{40}$/)
  expect(forged).not.toBe(URL_OF)
})

test('[F-E12] a shifted callback names another order, and has its valid control', () => {
  const [{ status, orderid, client_orderid, merchant_order, control } = {}] = trialUrls(URL_OF, 'shifted').map(read)
  expect([orderid, client_orderid, merchant_order]).toEqual(['53139666321566', '3inv-1', '3inv-1'])
  expect(control).toBe(controlOf(`${status}${orderid}${client_orderid}`))
})

test('[F-E12] another amount leaves the control valid, and a callback without an amount as it is', () => {
  const [changed = ''] = trialUrls(URL_OF, 'other-amount')
  expect(changed).toBe(URL_OF.replace('amount=10.42', 'amount=110.42'))
  const without = URL_OF.replace('&amount=10.42', '')
  expect(trialUrls(without, 'other-amount')).toEqual([without])
})

test('[F-E12] twice is the true one, two times', () => {
  expect(trialUrls(URL_OF, 'twice')).toEqual([URL_OF, URL_OF])
})

test('[F-E12] no change touches what stands before the question mark', () => {
  for (const trial of CALLBACK_TRIALS)
    for (const url of trialUrls(URL_OF, trial)) expect(url.split('?')[0]).toBe('https://shop.example/cb')
})
