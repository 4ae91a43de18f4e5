import { hash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Recording, recordingPage } from '@tallystick/gateway'

/** Whether a test that fails leaves what its gateways recorded, as a page. */
export type TraceMode = 'on-failure' | 'off'

/** A gateway of a test. */
interface Traced {
  readonly recording: Recording
  readonly openedAt: number
  closedAt: number
}

/** Where a test began: what its gateways did before is not its own. */
interface BegunTest {
  readonly at: number
  readonly lastIds: ReadonlyMap<Traced, number>
}

/** A test that has ended. */
export interface EndedTest {
  /** With the names of what it is in. */
  readonly title: string
  readonly file: string
  readonly failed: boolean
}

const TRACES = Symbol.for('@tallystick/testing:traces')

interface Traces {
  /** What a gateway does that is not told. */
  mode: TraceMode
  /** Counts what begins and ends. */
  now: number
  running: number
  readonly gateways: Set<Traced>
  /** The files of tests that have failed and may be tried again. */
  readonly written: Map<string, readonly string[]>
}

/** For all copies of this package: jest loads a set-up file as CommonJS, whatever its specs are. */
const shared = globalThis as { [TRACES]?: Traces }
shared[TRACES] ??= { mode: 'off', now: 0, running: 0, gateways: new Set(), written: new Map() }
const traces = shared[TRACES]

/** For the set-up file of a runner: the gateways of its tests are traced unless they say otherwise. */
export function traceByDefault(): void {
  traces.mode = 'on-failure'
}

export function isTraced(mode: TraceMode | undefined): boolean {
  return (mode ?? traces.mode) === 'on-failure'
}

/** Keeps the recording until the tests that may have used it have ended. @returns what is to be called when the gateway has closed */
export function trace(recording: Recording): () => void {
  const traced = { recording, openedAt: ++traces.now, closedAt: Infinity }
  traces.gateways.add(traced)
  return () => {
    traced.closedAt = ++traces.now
  }
}

export function beginTest(): BegunTest {
  traces.running++
  return { at: ++traces.now, lastIds: new Map([...traces.gateways].map((one) => [one, one.recording.lastId])) }
}

/**
 * Leaves a page for each gateway that a failed test may have used. A test that was tried again and has passed leaves nothing.
 *
 * @returns what to tell with the failure. Empty: nothing
 */
export async function endTest(test: EndedTest, begun: BegunTest | undefined): Promise<string> {
  const key = JSON.stringify([test.file, test.title])
  const before = traces.written.get(key) ?? []
  traces.written.delete(key)
  const used = [...traces.gateways].filter(({ closedAt }) => begun === undefined || closedAt > begun.at)
  if (traces.running > 0) traces.running--
  if (traces.running === 0) for (const one of traces.gateways) if (one.closedAt < Infinity) traces.gateways.delete(one)
  if (!test.failed) {
    await Promise.all(before.map((file) => rm(file, { force: true })))
    return ''
  }
  const told = used
    .map((one) => ({ recording: one.recording, troubleAfter: begun?.lastIds.get(one) ?? 0 }))
    .filter(({ recording, troubleAfter }) => recording.lastId > troubleAfter)
  return await write(test, told, key)
}

interface Told {
  readonly recording: Recording
  readonly troubleAfter: number
}

/** Below the folder that the tests run in. */
const FOLDER = 'payment-traces'

async function write({ title, file }: EndedTest, told: readonly Told[], key: string): Promise<string> {
  if (told.length === 0) return ''
  const folder = join(process.cwd(), FOLDER)
  const files: string[] = []
  try {
    await mkdir(folder, { recursive: true })
    for (const { recording, troubleAfter } of told) {
      const page = await recordingPage(recording.ndjson(), { title, troubleAfter })
      const name = fileNameOf(title) + (files.length === 0 ? '' : `-${files.length + 1}`)
      files.push(await writeOwn(folder, name, page, file))
    }
    traces.written.set(key, files)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `What the gateway recorded cannot be written to ${FOLDER} (${code ?? String(error)})`
  }
  return `What the gateway recorded: ${files.map((path) => relative(process.cwd(), path)).join(', ')}`
}

/** Another file may have a test of the same title: then the name has more to it. What an earlier run has left is replaced. */
async function writeOwn(folder: string, name: string, page: string, file: string): Promise<string> {
  const mark = `<!-- ${hash('sha1', file)} -->\n`
  const path = join(folder, `${name}.html`)
  const isFree = await writeFile(path, page + mark, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return false
    },
  )
  if (isFree) return path
  const isOwn = (await readFile(path, 'utf8')).endsWith(mark)
  const own = isOwn ? path : join(folder, `${name}-${hash('sha1', file).slice(0, 6)}.html`)
  await writeFile(own, page + mark)
  return own
}

/** Fewer characters than any file system has bytes for, of whatever script. */
const LONGEST = 56
/** Names that Windows keeps for itself. */
const KEPT = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** At the ends these would hide the file, or make an option of its name. */
const isInside = (character: string) => character !== '-' && character !== '.'

/** The title without what a file system or a shell may not take, and with a hash where another title could be written so as well. */
export function fileNameOf(title: string): string {
  const plain = title.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}.]+/gu, '-')
  const characters = Array.from(plain)
  const [first, last] = [characters.findIndex(isInside), characters.findLastIndex(isInside)]
  const short = characters
    .slice(first, last + 1)
    .slice(0, LONGEST)
    .join('')
  const isExact = short !== '' && short === title.replaceAll(' ', '-') && !KEPT.test(short)
  return isExact ? short : `${short || 'test'}-${hash('sha1', title).slice(0, 6)}`
}

/** Adds a line to what a runner shows of an error. */
export function tellWith(error: unknown, told: string): void {
  if (typeof error !== 'object' || error === null || told === '') return
  const { message, stack } = error as Partial<Error>
  if (typeof message !== 'string') return
  const longer = `${message}\n\n${told}`
  Object.assign(error, { message: longer })
  // It begins with the message.
  if (typeof stack === 'string') Object.assign(error, { stack: stack.replace(message, () => longer) })
}

/** What a hook of `node:test` is given of its test. */
interface NodeTest {
  readonly name: string
  readonly fullName?: string
  readonly filePath?: string | undefined
  readonly passed?: boolean
  readonly error?: { readonly cause?: unknown } | null
  diagnostic?(message: string): void
}

/**
 * For `node:test`: `afterEach(keepTrace)` leaves `payment-traces/TITLE.html` for a test that failed, of each gateway that was started
 * with `trace: 'on-failure'`. The failure names it. In vitest and jest the set-up file does that.
 */
export async function keepTrace(test: unknown): Promise<void> {
  const context = test as NodeTest
  const { name, fullName = name, filePath = '', passed, error } = context
  const told = await endTest(
    { title: fullName.replaceAll(' > ', ' '), file: filePath, failed: passed === false },
    undefined,
  )
  tellWith(error?.cause, told)
  if (told !== '') context.diagnostic?.(told)
}
