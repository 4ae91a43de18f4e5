import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import type { JournalStore } from '@tallystick/client/ports'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteJournalStore } from '../../src/index.ts'
import { intentWith } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'
import { postgresWorld } from '../store/postgres-world.ts'

const inFolder = ownFolder()
const { url, open, inShop } = postgresWorld()
const SOURCE = '--conditions=@tallystick/source'
const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname

const worlds = {
  sqlite: () => {
    const file = inFolder('shop.db')
    const effects = async (statement: string) => {
      const database = new DatabaseSync(file)
      const rows = database.prepare(statement).all()
      database.close()
      return rows
    }
    return { place: file, store: sqliteJournalStore({ file }), effects, args: ['--file', file], variables: {} }
  },
  postgresql: () => {
    const variables = { TALLYSTICK_JOURNAL_STORE: url() }
    return { place: url(), store: open(), effects: inShop, args: [], variables }
  },
}

/** Runs the command as a process of its own, where nobody can be asked. */
function command(args: readonly string[], variables: Readonly<Record<string, string>>) {
  return new Promise<{ readonly code: number; readonly said: string }>((resolve) => {
    const options = { env: { ...process.env, ...variables } }
    const child = execFile(process.execPath, [SOURCE, '--no-warnings', MAIN, ...args], options, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, said: `${out}${err}` }),
    )
  })
}

async function inReview(store: Pick<JournalStore, 'insert'>): Promise<void> {
  const observed = { status: 'approved', amount: '142', currency: 'USD', transactionType: 'sale' }
  const evidence = [
    { at: Date.UTC(2030, 0, 1), seen: 'AMOUNT_DIFFERS: status approved of 1.42 USD; asked for: 10.42 USD' },
  ]
  await store.insert(
    intentWith({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS', orderId: '123', observed, evidence }),
  )
}

test.each(['sqlite', 'postgresql'] as const)(
  '[F-C17] a review that is decided by the command beside a running shop reaches its handler once, and the shop goes on: %s',
  { timeout: 120_000 },
  async (dialect) => {
    const { place, store, effects, args, variables } = worlds[dialect]()
    await inReview(store)
    await (dialect === 'sqlite'
      ? effects('create table effects (key text)')
      : inShop('create table effects (key text)'))
    const shop = fork(new URL('./open-shop.ts', import.meta.url), [dialect, place], {
      execArgv: [SOURCE, '--no-warnings'],
    })
    onTestFinished(() => void shop.kill())
    const heard: unknown[] = []
    shop.on('message', (said) => void heard.push(said))
    expect(await once(shop, 'message')).toEqual(['ready', undefined])

    const shown = await command(['show', '123', ...args], variables)
    expect(shown).toMatchObject({
      code: 0,
      said: expect.stringContaining('REVIEW: someone must decide, AMOUNT_DIFFERS'),
    })

    const settling = ['settle', 'intent-1', '--as', 'take-status', '--because', 'agreed by telephone', ...args]
    const unconfirmed = await command([...settling, '--by', 'Ann'], variables)
    expect(unconfirmed).toMatchObject({ code: 2, said: expect.stringContaining('--yes') })

    const handled = once(shop, 'message')
    const settled = await Promise.all(
      ['Ann', 'Ben'].map((by) => command([...settling, '--by', by, '--yes'], variables)),
    )
    expect(settled.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(settled.filter(({ code }) => code === 1)).toHaveLength(1)
    expect(settled.map(({ said }) => said).join()).toMatch(/in review|has changed/)
    expect(await handled).toEqual(['handled order-a:1', undefined])

    const paid = once(shop, 'message')
    shop.send('pay')
    expect(await paid).toEqual(['accepted', undefined])
    const exited = once(shop, 'exit')
    shop.send('close')
    expect(await exited).toEqual([0, null])

    const [intent] = (await store.named('intent-1')).intents
    expect(intent).toMatchObject({ state: 'FINAL', status: 'approved' })
    const decisions = intent?.evidence.filter(({ seen }) =>
      /^take-status: by (Ann|Ben): agreed by telephone$/.test(seen),
    )
    expect(decisions).toHaveLength(1)
    expect(await effects('select key from effects')).toMatchObject([{ key: 'order-a:1' }])
    const later = await command(['show', 'invoice 77', ...args], variables)
    expect(later.said).toContain('had outcome approved of 1.42 USD')
    expect(heard).toEqual(['ready', 'handled order-a:1', 'accepted'])
    await store.close()
  },
)
