import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { fileChannels, readNow } from './support/file-channels.ts'
import { madeValues } from './support/made-values.ts'
import { approvalCodes, formsOf, type Secret, scan } from './support/secret-scan.ts'
import { linesOf, sqliteCells } from './support/stored-cells.ts'

describe('the scan', () => {
  const secrets: Secret[] = [
    { name: 'PAN', bytes: Buffer.from('4485940822379130') },
    { name: 'CVV', bytes: Buffer.from('9173'), isShort: true },
    { name: 'key', bytes: Buffer.from('B17F59B4&A7DC=41B4+8FF9/37D986B43D20') },
    { name: 'bytes', bytes: Buffer.from(Array.from({ length: 32 }, (_, at) => 251 - at * 7)) },
  ]
  const forms = secrets.flatMap((secret) => formsOf(secret).map(({ form, pattern }) => ({ secret, form, pattern })))

  test.each(forms)('finds $secret.name as $form, whatever stands beside it', ({ secret, form, pattern }) => {
    for (const beside of ['', 'x', '=', '%', '"', '\0', '\n', '\xff']) {
      const bytes = Buffer.concat([Buffer.from(beside, 'latin1'), pattern, Buffer.from(beside, 'latin1')])
      expect(scan([{ name: 'a channel', bytes }], [secret])).toContain(`${secret.name} in a channel, as ${form}`)
    }
  })

  test.each([0, 1, 2])('finds base64 wherever in the encoded text a card number begins: %i', (offset) => {
    const [secret] = secrets
    const text = `${'x'.repeat(offset)}4485940822379130 and more`
    const channel = { name: 'a text', bytes: Buffer.from(Buffer.from(text).toString('base64')) }
    expect(scan([channel], secret === undefined ? [] : [secret])).toContain(`PAN in a text, as base64 at ${offset}`)
  })

  test('lets digits of a CVV pass within an approval code, but not the hexadecimal digits around one', () => {
    const innocent = approvalCodes(['PNTEST-100000000391731', 'PNTEST-100000000393137'])
    const told = (text: string) => scan([{ name: 'a log', bytes: Buffer.from(text), innocent }], secrets)
    expect(told('"approval-code":"391731"')).toEqual([])
    expect(told('"39313733"')).toEqual(['CVV in a log, as hex'])
  })

  test('lets digits of a CVV pass within what is known, and nowhere else', () => {
    const innocent = ['100009173000001', /[0-9a-f]{40}/g]
    const told = (text: string) => scan([{ name: 'a log', bytes: Buffer.from(text), innocent }], secrets)
    expect(told('order 100009173000001 was paid')).toEqual([])
    expect(told(`control=${'9173'.repeat(10)}&`)).toEqual([])
    // A digest is recognized even if it contains the digits of another known value.
    const digest = `${'ab'.repeat(15)}5917301234`
    const both = [{ name: 'a log', bytes: Buffer.from(digest), innocent: ['301234', digest] }]
    expect(scan(both, secrets)).toEqual([])
    const long = `${'a'.repeat(300)}9173${'b'.repeat(300)}`
    expect(scan([{ name: 'a log', bytes: Buffer.from(`"${long}"`), innocent: [long] }], secrets)).toEqual([])
    for (const text of ['order 100009173000002', '100009173000001 9173', '9173', '"cvv":9173,', 'cvv2=9173&amount=1']) {
      expect(told(text)).toEqual(['CVV in a log, as raw'])
    }
  })
})

const folder = mkdtempSync(join(tmpdir(), 'scan-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a CVV in a SQLite database', () => {
  const cvv: Secret = { name: 'CVV', bytes: Buffer.from('8264'), isShort: true }
  /** A member of a text, a value of its own, and the end of one that is otherwise made up. */
  const leaks = ['{"cvv2":"8264"}', '8264', '1795261332051 8264', 'card=4&cvv2=8264&amount=1', '2641309143980-8264']

  test.each(leaks)('is found even if it was there only for a moment: %s', (leak) => {
    const { file, database } = newDatabase()
    fill(database, 100)
    const insert = database.prepare('INSERT INTO orders VALUES (?, 0, ?)')
    insert.run('900000000000001', leak)
    database.prepare('DELETE FROM orders WHERE order_id = ?').run('900000000000001')
    fill(database, 100)
    expect(found(file)).toEqual(['CVV in orders.db-wal now, as raw'])
    database.close()
    expect(found(file).filter((finding) => finding.includes('values'))).toEqual([])
  })

  test.each(leaks)('is found where it stays: %s', (leak) => {
    const { file, database } = newDatabase()
    fill(database, 60)
    database.prepare('UPDATE orders SET details = ? WHERE rowid = 30').run(leak)
    expect(found(file)).toEqual(['CVV in orders.db-wal now, as raw', 'CVV in values, as raw'])
    database.close()
    expect(found(file)).toEqual(['CVV in orders.db now, as raw', 'CVV in values, as raw'])
  })

  test('is found even if half of it was overwritten', () => {
    const { file, database } = newDatabase()
    fill(database, 60)
    const update = database.prepare('UPDATE orders SET details = ? WHERE rowid = 30')
    for (const details of ['82xx', '8264', 'xx64']) update.run(details)
    expect(found(file)).toEqual(['CVV in orders.db-wal now, as raw'])
    database.close()
  })

  function newDatabase() {
    const file = join(mkdtempSync(join(folder, 'db-')), 'orders.db')
    const database = new DatabaseSync(file)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0')
    database.exec('CREATE TABLE orders (order_id TEXT UNIQUE, created_at INTEGER, details TEXT)')
    return { file, database }
  }

  /** Ids as a gateway makes them. Each row is written, changed and changed back on its own, so that remains lie about. */
  function fill(database: DatabaseSync, rows: number): void {
    const insert = database.prepare('INSERT INTO orders VALUES (?, ?, ?)')
    const update = database.prepare('UPDATE orders SET details = ? WHERE order_id = ?')
    for (let row = 0; row < rows; row++) {
      const orderId = `${randomInt(1, 10)}${String(randomInt(100_000_000_000_000)).padStart(14, '0')}`
      insert.run(orderId, 1_795_261_332_051 + row, '{}')
      const details = { digest: randomBytes(32).toString('hex'), processorTxId: `PNTEST-${orderId}` }
      update.run(JSON.stringify(details), orderId)
      update.run(JSON.stringify({ ...details, token: randomBytes(16).toString('base64url') }), orderId)
    }
  }

  function found(file: string) {
    const cells = sqliteCells(file)
    const innocent = madeValues(cells)
    const reads = [file, `${file}-wal`].filter((path) => existsSync(path)).map((path) => readNow(path, 'now'))
    const channels = [...fileChannels(reads), { name: 'values', bytes: linesOf(cells) }]
    return scan(
      channels.map((channel) => ({ ...channel, innocent })),
      [cvv],
    )
  }
})
