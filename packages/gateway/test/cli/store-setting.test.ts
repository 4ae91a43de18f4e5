import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { storeShown } from '../../src/cli/store-setting.ts'

test.for([
  ['memory', 'memory'],
  ['gateway.db', resolve('/etc/gateway/gateway.db')],
  ['../data/gateway.db', resolve('/etc/data/gateway.db')],
  ['/var/lib/gateway.db', resolve('/var/lib/gateway.db')],
  ['postgres://shop:hunter2@db.example.com/payments', 'PostgreSQL'],
] as const)('the store %s of a configuration in /etc/gateway is shown as %s', ([store, shown]) => {
  expect(storeShown(store, '/etc/gateway')).toBe(shown)
})
