import { DatabaseSync } from 'node:sqlite'

/**
 * The least work that makes one row durable: the rows of one turn of the event loop share a commit, with synchronous FULL, as in
 * our stores.
 */
export function rowWriter(file: string): (text: string) => Promise<void> {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec('CREATE TABLE callback (id INTEGER PRIMARY KEY, text TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO callback (text) VALUES (?)')
  let open: { readonly text: string; readonly done: () => void }[] = []
  const commit = () => {
    const batch = open
    open = []
    database.exec('BEGIN IMMEDIATE')
    for (const { text } of batch) insert.run(text)
    database.exec('COMMIT')
    for (const { done } of batch) done()
  }
  return (text) =>
    new Promise((done) => {
      if (open.length === 0) setImmediate(commit)
      open.push({ text, done })
    })
}
