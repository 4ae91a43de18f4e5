import type { ClientReturnOptions } from '@tallystick/client'
import {
  anything,
  checkOptions,
  flag,
  isRecord,
  type Kind,
  list,
  listener,
  object,
  requireOption,
  text,
} from './known-options.ts'
import type {
  CallbackSettings,
  JournalReturnSettings,
  PaymentsModuleAsyncOptions,
  PaymentsRoutes,
  PaymentsSettings,
  Registration,
  ThreeDsReturnSettings,
} from './payments.options.ts'
import { DEFAULT_INSTANCE } from './payments.tokens.ts'
import { ROUTE_KINDS } from './routes/route-kinds.ts'

type Kinds<Options> = Readonly<Record<keyof Options, Kind>>

const REGISTRATION: Kinds<Registration> = {
  name: {
    wanted: 'a text that is not empty; leave it out for the default instance',
    isRight: (value) => typeof value === 'string' && value !== '',
  },
  global: flag,
}

const SETTINGS: Kinds<PaymentsSettings> = {
  client: object,
  callbacks: object,
  browserReturn: object,
  threeDsReturn: object,
  journal: { ...listener, wanted: 'a function that makes the journal: (client, handler) => createJournal(...)' },
}

const ROUTES: Kinds<PaymentsRoutes> = { callbacks: object, browserReturn: object, threeDsReturn: object }

const ASYNC: Kinds<Pick<PaymentsModuleAsyncOptions, 'imports' | 'useFactory' | 'useClass' | 'useExisting'>> = {
  imports: list,
  useFactory: listener,
  useClass: { ...listener, wanted: 'a class' },
  useExisting: anything,
}

/** What an instance without a journal does with its routes. Values that the client checks are left to it. */
const CALLBACKS: Kinds<CallbackSettings> = { onOutcome: listener, onUnconfirmed: listener }
const CLIENT_RETURN: Kinds<Omit<ClientReturnOptions, 'client' | 'journal'>> = {
  show: listener,
  deadlineMs: anything,
  timeoutMs: anything,
  signal: anything,
  endpointId: anything,
  endpointGroupId: anything,
  credentials: anything,
}
/** The journal has looked already: there is nothing to wait for. */
const JOURNAL_RETURN: Kinds<JournalReturnSettings<unknown>> = { show: listener }
const THREE_DS_RETURN: Kinds<ThreeDsReturnSettings> = {
  ...CLIENT_RETURN,
  returnUrl: text,
  nonce: anything,
  language: text,
  texts: object,
}

const ROUTE_NAMES = ['callbacks', 'browserReturn', 'threeDsReturn'] as const

/** Settings of any kind, as far as they are compared with the routes. */
export interface ComparedSettings {
  readonly name?: unknown
  readonly client?: unknown
  readonly journal?: unknown
  readonly callbacks?: { readonly onOutcome?: unknown; readonly onUnconfirmed?: unknown } | undefined
  readonly browserReturn?: object | undefined
  readonly threeDsReturn?: object | undefined
}

/** @throws TypeError that names the option of `forRoot` */
export function checkModuleOptions(options: PaymentsRoutes & ComparedSettings): void {
  checkOptions('PaymentsModule.forRoot', options, { ...REGISTRATION, ...SETTINGS })
  const instance = instanceOf(options)
  checkEffects(instance, options, options)
  for (const route of ROUTE_NAMES) {
    if (options[route] === undefined) continue
    checkOptions(`${route} of ${instance}`, options[route], { ...ROUTE_KINDS, ...settingKinds(options)[route] })
  }
}

/** @throws TypeError that names the option of `forRootAsync` */
export function checkAsyncOptions(options: PaymentsModuleAsyncOptions<ComparedSettings>): void {
  const kinds = { ...REGISTRATION, ...ROUTES, ...ASYNC, inject: list }
  checkOptions('PaymentsModule.forRootAsync', options, kinds)
  const { useFactory, useClass, useExisting } = options
  if ([useFactory, useClass, useExisting].filter((way) => way !== undefined).length !== 1) {
    throw new TypeError('PaymentsModule.forRootAsync: give one of useFactory, useClass and useExisting')
  }
  for (const route of ROUTE_NAMES) {
    if (options[route] === undefined) continue
    const where = `${route} of ${instanceOf(options)}`
    checkOptions(where, options[route], ROUTE_KINDS)
    requireOption(where, options[route], 'path')
  }
}

/** @throws TypeError that names the setting which a factory gave */
export function checkSettings<Settings extends ComparedSettings>(
  routes: PaymentsRoutes & { readonly name?: string },
  settings: Settings,
): Settings {
  const instance = instanceOf(routes)
  checkOptions(`the settings of ${instance}`, settings, SETTINGS)
  checkEffects(instance, routes, settings)
  for (const route of ROUTE_NAMES) {
    if (settings[route] !== undefined) {
      checkOptions(`${route} in the settings of ${instance}`, settings[route], settingKinds(settings)[route])
    }
  }
  return settings
}

function settingKinds({ journal }: ComparedSettings) {
  const browserReturn = journal === undefined ? CLIENT_RETURN : JOURNAL_RETURN
  return { callbacks: CALLBACKS, browserReturn, threeDsReturn: THREE_DS_RETURN }
}

/** @throws TypeError for settings that have no effect, or without which there is none */
function checkEffects(instance: string, routes: PaymentsRoutes, settings: ComparedSettings): void {
  requireOption(instance, settings, 'client')
  for (const route of ROUTE_NAMES) {
    if (isRecord(settings[route]) && routes[route]?.path === undefined) {
      throw new TypeError(
        `${instance}: ${route} has settings and no path, so that nothing comes there: name the path of its route`,
      )
    }
  }
  const { journal, callbacks } = settings
  if (journal !== undefined && (callbacks?.onOutcome ?? callbacks?.onUnconfirmed) !== undefined) {
    throw new TypeError(
      `${instance}: onOutcome and onUnconfirmed are never called where there is a journal: use its handler`,
    )
  }
}

function instanceOf({ name }: { readonly name?: unknown }): string {
  return `the instance ${typeof name === 'string' ? name : DEFAULT_INSTANCE}`
}
