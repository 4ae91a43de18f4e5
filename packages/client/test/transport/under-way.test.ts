import { expect, test } from 'vitest'
import { UnderWay } from '../../src/transport/wire.ts'

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
