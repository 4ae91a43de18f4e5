import { accepted, fakeClient, saleInput } from '@tallystick/testing'
import { describe, test } from 'vitest'

describe.concurrent('at the same time', () => {
  const scripted = Promise.withResolvers()
  const ended = Promise.withResolvers()

  test('a test ends', async ({ onTestFinished }) => {
    onTestFinished(() => ended.resolve())
    await scripted.promise
  })

  test('another one uses its answer only then', async () => {
    const fake = fakeClient()
    fake.answer('sale', accepted())
    scripted.resolve()
    await ended.promise
    await fake.sale(saleInput())
  })
})
