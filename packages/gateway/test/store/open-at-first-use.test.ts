import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/index.ts'
import { openAtFirstUse, type SharedStore } from '../../src/store/postgres/open-at-first-use.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { shared } from '../support/stores.ts'
import { NOW, opening, order } from './changes.ts'

/** A store that cannot be opened the first `failures` times. */
function opened({ failures = 0 } = {}) {
  const others = shared()
  const keyFingerprints = { note: async () => [], isInUse: async () => true }
  const inner: SharedStore = { ...memoryStore(), cluster: others.cluster, keyFingerprints }
  const seen = { opened: 0, closed: 0 }
  const store = openAtFirstUse(async () => {
    seen.opened += 1
    if (seen.opened <= failures) throw new StoreError('UNREACHABLE', `no answer ${seen.opened}`)
    const close = async () => {
      seen.closed += 1
    }
    return { ...inner, close }
  })
  return { store, seen, wake: others.wake }
}

describe('a store that is opened at its first use', () => {
  test('is opened once, however many uses come at once', async () => {
    const { store, seen } = opened()
    expect(seen.opened).toBe(0)
    const written = order(1)
    const [committed] = await Promise.all([store.commit(opening(written), NOW), store.ready(), store.nextDueAt()])
    expect(committed).toEqual({ ok: true })
    expect(await store.orderById(written.orderId)).toMatchObject({ clientOrderId: written.clientOrderId })
    expect(seen.opened).toBe(1)
  })

  test('fails with the reason until it can be opened, and tries at each use', async () => {
    const { store, seen } = opened({ failures: 3 })
    await expect(store.ready()).rejects.toMatchObject({ code: 'UNREACHABLE', message: 'no answer 1' })
    expect(await store.isReady()).toBe(false)
    await expect(store.keyFingerprints.note([])).rejects.toThrow('no answer 3')
    expect(await store.isReady()).toBe(true)
    expect(seen.opened).toBe(4)
  })

  test('counts as alive only once it is open: what it has not written, it does not send', async () => {
    const { store } = opened()
    expect(store.cluster.isAlive()).toBe(false)
    await store.ready()
    expect(store.cluster.isAlive()).toBe(true)
  })

  test('wakes whoever waited before it was open, unless they have ended that', async () => {
    const { store, wake } = opened()
    let woken = 0
    const stop = store.cluster.onWake(() => {
      throw new Error('It had stopped')
    })
    stop()
    store.cluster.onWake(() => {
      woken += 1
    })
    await store.ready()
    wake()
    expect(woken).toBe(1)
  })

  test('is closed once it is open, and never opened after that', async () => {
    const used = opened()
    const found = used.store.orderById('100000000000001')
    await used.store.close()
    expect(await found).toBeUndefined()
    expect(used.seen).toEqual({ opened: 1, closed: 1 })
    const unused = opened()
    await unused.store.close()
    await expect(unused.store.ready()).rejects.toMatchObject({ code: 'CLOSED' })
    expect(unused.seen).toEqual({ opened: 0, closed: 0 })
  })
})
