import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Feed } from './feed.ts'
import { EMPTY_FEED } from './feed.ts'
import { type Sandbox, sandboxWith } from './sandbox.ts'

/** What every page works with. */
export interface Workbench {
  readonly sandbox: Sandbox
  readonly feed: Feed
}

export const WorkbenchContext = createContext<Workbench>({ sandbox: sandboxWith(''), feed: EMPTY_FEED })

/** The gateway's time, in milliseconds since 1970. */
export const NowContext = createContext(0)

export function useWorkbench(): Workbench {
  return useContext(WorkbenchContext)
}

/** What was asked for, or why there is nothing. */
export interface Loaded<T> {
  readonly value?: T
  readonly error?: string
}

/** Loads once, and again whenever one of `inputs` has changed. What was loaded before stays until then. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({})
  useEffect(() => {
    const ended = new AbortController()
    load(ended.signal).then(
      (value) => ended.signal.aborted || setLoaded({ value }),
      (error: unknown) => ended.signal.aborted || setLoaded({ error: messageOf(error) }),
    )
    return () => ended.abort()
  }, inputs)
  return loaded
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What the gateway does next by itself, as `GET /__sandbox/agenda` has it. */
export interface AgendaEntry {
  /** Of a callback, that of the callback. */
  readonly id: string
  readonly kind: string
  readonly dueAt: string
  /** How often it was tried before. */
  readonly tried: number
  readonly orderId?: string
  readonly clientOrderId?: string
  /** Of a callback. */
  readonly address?: string
}

/** After these something else may be due. */
const CHANGING: ReadonlySet<string> = new Set(['state', 'callback', 'clock', 'reply'])

/** The next first. */
export function useAgenda(): readonly AgendaEntry[] {
  const { sandbox, feed } = useWorkbench()
  const latest = feed.events.findLast(({ type }) => CHANGING.has(type))?.id
  const load = () => sandbox.ask<{ readonly due: readonly AgendaEntry[] }>('GET', '/agenda')
  return useLoaded(load, [sandbox, latest]).value?.due ?? NOTHING
}

const NOTHING: readonly AgendaEntry[] = []
