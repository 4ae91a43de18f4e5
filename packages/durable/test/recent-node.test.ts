import { expect, onTestFinished, test } from 'vitest'
import { oldNode, requireRecentNode } from '../src/recent-node.ts'

test.for(['18.20.8', '20.20.2', '22.18.0', '23.11.1', '24.10.0'])('[F-C5] Node %s is named as too old', (version) => {
  expect(oldNode(version)).toBe(`Node ${version} is too old; it needs Node 22.19, 24.11, 26 or newer`)
})

test.for(['22.19.0', '22.22.1', '24.11.0', '25.2.0', '26.0.0'])('Node %s is recent enough', (version) => {
  expect(oldNode(version)).toBeUndefined()
})

test('[F-C5] a runtime without what we need is named, and by whom', () => {
  expect(() => requireRecentNode('createGateway')).not.toThrow()
  const withResolvers = Object.getOwnPropertyDescriptor(Promise, 'withResolvers')
  if (withResolvers === undefined) throw new Error('this Node is too old')
  onTestFinished(() => void Object.defineProperty(Promise, 'withResolvers', withResolvers))
  Reflect.deleteProperty(Promise, 'withResolvers')
  expect(() => requireRecentNode('createGateway')).toThrow(
    `createGateway: Node ${process.version} is too old; it needs Node 22.19, 24.11, 26 or newer`,
  )
})
