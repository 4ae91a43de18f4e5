import { expect, test } from 'vitest'
import { oldNode } from '../src/runtime/old-node.ts'

test.for(['18.20.8', '20.20.2', '22.18.0', '23.11.1', '24.10.0'])('[F-C5] Node %s is named as too old', (version) => {
  expect(oldNode(version)).toBe(`Node ${version} is too old; it needs Node 22.19, 24.11, 26 or newer`)
})

test.for(['22.19.0', '22.22.1', '24.11.0', '25.2.0', '26.0.0'])('Node %s is recent enough', (version) => {
  expect(oldNode(version)).toBeUndefined()
})
