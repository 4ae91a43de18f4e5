/** The pages of a SQLite database and of its log, by the format that both have on disk. */

/** @see {@link https://www.sqlite.org/fileformat2.html#walformat section 4 of the file format} */
const LOG_HEADER = 32
const FRAME_HEADER = 24
const PAGE_SIZE_IN_LOG = 8
/** @see {@link https://www.sqlite.org/fileformat2.html#page_size section 1.3.2 of the file format} */
const PAGE_SIZE_IN_DATABASE = 16

/** The pages of one file, in the order in which they were written. */
export interface Pages {
  readonly size: number
  readonly pages: readonly PageOfFile[]
}

interface PageOfFile {
  readonly number: number
  /** Where it begins in the file. */
  readonly at: number
}

/** The last version that was seen of each page. */
export type Seen = Map<number, Uint8Array>

/**
 * Not 0 for each byte that differs from the previous version of its page. A page is written as a whole, with the remains of
 * earlier values that others have overwritten in part: of 15 digits, any four may remain. The whole value was written once, and
 * is examined there.
 *
 * @param seen the last versions so far, which this call updates; the log of a database comes after it
 */
export function writtenIn(bytes: Uint8Array, { pages, size }: Pages, seen: Seen): Uint8Array {
  const written = new Uint8Array(bytes.length)
  for (const { number, at } of pages) {
    const page = bytes.subarray(at, at + size)
    const before = seen.get(number)
    page.forEach((byte, place) => {
      written[at + place] = Number(byte !== before?.[place])
    })
    seen.set(number, page)
  }
  return written
}

/** Recognizes a file by the name that SQLite gives it. `undefined`: it has no pages. */
export function pagesIn(path: string, bytes: Buffer): Pages | undefined {
  if (path.endsWith('-wal')) return pagesOfLog(bytes)
  return path.endsWith('.db') ? pagesOfDatabase(bytes) : undefined
}

/** The pages in its frames, without the headers: SQLite's page numbers, salts and checksums, which may look like anything. */
function pagesOfLog(log: Buffer): Pages {
  const size = log.readUInt32BE(PAGE_SIZE_IN_LOG)
  const frame = FRAME_HEADER + size
  const starts = Array.from(
    { length: Math.floor((log.length - LOG_HEADER) / frame) },
    (_, at) => LOG_HEADER + at * frame,
  )
  return { size, pages: starts.map((start) => ({ number: log.readUInt32BE(start), at: start + FRAME_HEADER })) }
}

function pagesOfDatabase(database: Buffer): Pages {
  const told = database.readUInt16BE(PAGE_SIZE_IN_DATABASE)
  // 65,536 does not fit, and is written as 1.
  const size = told === 1 ? 65_536 : told
  return { size, pages: Array.from({ length: database.length / size }, (_, at) => ({ number: at + 1, at: at * size })) }
}
