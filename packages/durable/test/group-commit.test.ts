import { expect, test } from 'vitest'
import { GroupCommit, type GroupCommitOptions } from '../src/group-commit.ts'

/** A database that keeps what was written when it was committed, and a log of what happened. */
function database(failing: Partial<GroupCommitOptions> = {}) {
  const log: string[] = []
  const kept: string[] = []
  let open: string[] = []
  const soons: (() => void)[] = []
  const group = new GroupCommit({
    soon: (flush) => void soons.push(flush),
    begin: () => {
      log.push('begin')
      return failing.begin?.()
    },
    commit: () => {
      failing.commit?.()
      kept.push(...open)
      open = []
      log.push('commit')
    },
    rollBack: () => {
      open = []
      log.push('roll back')
      failing.rollBack?.()
    },
    ...(failing.endsAll && { endsAll: failing.endsAll }),
  })
  /** Turns of the event loop until nothing is to be done in the next. */
  async function turns(): Promise<void> {
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    await turn()
    for (let next = soons.shift(); next !== undefined; next = soons.shift()) {
      next()
      await turn()
    }
  }
  const write = (name: string) => group.run(() => void open.push(name))
  const fail = (name: string) =>
    group.run(() => {
      open.push(name)
      throw new Error(`${name} fails`)
    })
  return { group, log, kept, turns, write, fail }
}

const statusesOf = async (works: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(works)).map((each) => (each.status === 'fulfilled' ? 'written' : String(each.reason)))

test('Writers of one turn share a commit, and are told after it', async () => {
  const { log, kept, turns, write } = database()
  const written = ['a', 'b', 'c'].map((name) => write(name).then(() => log.push(`told ${name}`)))
  await turns()
  await Promise.all(written)
  expect(log).toEqual(['begin', 'commit', 'told a', 'told b', 'told c'])
  expect(kept).toEqual(['a', 'b', 'c'])
})

test('More than 256 writers share more than one commit', async () => {
  const { log, kept, turns, write } = database()
  const written = Array.from({ length: 600 }, (_, number) => write(String(number)))
  await turns()
  await Promise.all(written)
  expect(log.filter((each) => each === 'commit')).toHaveLength(3)
  expect(kept).toHaveLength(600)
})

test('One that fails leaves the others as they are: each is done again by itself', async () => {
  const { log, kept, turns, write, fail } = database()
  const statuses = statusesOf([write('a'), fail('b'), write('c')])
  await turns()
  expect(await statuses).toEqual(['written', 'Error: b fails', 'written'])
  expect(kept).toEqual(['a', 'c'])
  expect(log).toEqual(['begin', 'roll back', 'begin', 'commit', 'begin', 'roll back', 'begin', 'commit'])
})

test('A commit that fails keeps nothing, and none is told that it was written', async () => {
  const { kept, turns, write } = database({
    commit: () => {
      throw new Error('the disk is full')
    },
  })
  const statuses = statusesOf([write('a'), write('b')])
  await turns()
  expect(await statuses).toEqual(['Error: the disk is full', 'Error: the disk is full'])
  expect(kept).toEqual([])
})

test('A transaction that cannot begin fails each writer by itself, or all at once if none could begin', async () => {
  const begin = () => {
    throw new Error('locked')
  }
  const each = database({ begin })
  const statuses = statusesOf([each.write('a'), each.write('b')])
  await each.turns()
  expect(await statuses).toEqual(['Error: locked', 'Error: locked'])
  expect(each.log.filter((step) => step === 'begin')).toHaveLength(3)
  const all = database({ begin, endsAll: (error) => String(error) === 'Error: locked' })
  const others = statusesOf([all.write('a'), all.write('b')])
  await all.turns()
  expect(await others).toEqual(['Error: locked', 'Error: locked'])
  expect(all.log.filter((step) => step === 'begin')).toHaveLength(1)
})

test('A rollback that fails is the reason that the writer is given', async () => {
  const { turns, fail } = database({
    rollBack: () => {
      throw new Error('the disk is gone')
    },
  })
  const statuses = statusesOf([fail('a')])
  await turns()
  expect(await statuses).toEqual(['Error: the disk is gone'])
})

test('While a transaction waits to begin, no other begins, and what comes meanwhile goes into the next', async () => {
  const free = Promise.withResolvers<void>()
  const { log, turns, write } = database({ begin: () => free.promise })
  const first = write('a')
  await turns()
  const second = write('b')
  await turns()
  expect(log).toEqual(['begin'])
  free.resolve()
  await first
  await turns()
  await second
  expect(log).toEqual(['begin', 'commit', 'begin', 'commit'])
})

test('Work that is done alone waits for what waits, once, and nothing is written until it ends', async () => {
  const { group, log, kept, turns, write } = database()
  const end = Promise.withResolvers<void>()
  const before = write('before')
  const alone = group.alone(async () => {
    log.push('alone')
    await end.promise
    log.push('over')
  })
  await before
  const after = write('after')
  await turns()
  expect([log, kept]).toEqual([['begin', 'commit', 'alone'], ['before']])
  end.resolve()
  await alone
  await turns()
  await after
  expect(kept).toEqual(['before', 'after'])
})

test('Work that is done alone and fails does not stop what comes after it', async () => {
  const { group, kept, turns, write } = database()
  const alone = group.alone(() => Promise.reject(new Error('the handler failed')))
  const after = write('after')
  await expect(alone).rejects.toThrow('the handler failed')
  await turns()
  await after
  expect(kept).toEqual(['after'])
})

test('It is settled when all that waits is written', async () => {
  const { group, log, turns, write } = database()
  const written = [write('a'), write('b')]
  const settled = group.settled().then(() => log.push('settled'))
  await turns()
  await Promise.all([...written, settled])
  expect(log).toEqual(['begin', 'commit', 'settled'])
})
