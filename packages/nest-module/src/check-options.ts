import type { ClientReturnOptions } from '@tallystick/client/internal'
import { checkOptions, type Validator, type Validators, validator } from '@tallystick/core/internal'
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
import { PLACE_KINDS, ROUTE_KINDS } from './routes/route-options.ts'

/** Options that every way of registration has. */
export const REGISTRATION: Validators<Registration> = {
  name: {
    wanted: 'a text that is not empty; leave it out for the default instance',
    isRight: (value) => typeof value === 'string' && value !== '',
  },
  global: validator.flag,
}

const SETTINGS: Validators<PaymentsSettings> = {
  client: validator.object,
  callbacks: validator.object,
  browserReturn: validator.object,
  threeDsReturn: validator.object,
  journal: {
    ...validator.function,
    wanted: 'a function that makes the journal: (client, handler) => createJournal(...)',
  },
}

const ROUTES: Validators<PaymentsRoutes> = {
  callbacks: validator.object,
  browserReturn: validator.object,
  threeDsReturn: validator.object,
}

/** How settings are injected; `inject` is checked beside. */
export const ASYNC: Validators<
  Pick<PaymentsModuleAsyncOptions, 'imports' | 'useFactory' | 'useClass' | 'useExisting'>
> = {
  imports: validator.list,
  useFactory: validator.function,
  useClass: { ...validator.function, wanted: 'a class' },
  useExisting: validator.anything,
}

/** The settings of the routes of an instance without a journal. The client checks the values that are `anything` here. */
const CALLBACKS: Validators<CallbackSettings> = {
  onOutcome: validator.function,
  onNotice: validator.anything,
  onUnconfirmed: validator.function,
}
const CLIENT_RETURN: Validators<Omit<ClientReturnOptions, 'client' | 'journal'>> = {
  show: validator.function,
  deadlineMs: validator.anything,
  timeoutMs: validator.anything,
  signal: validator.anything,
  endpointId: validator.anything,
  endpointGroupId: validator.anything,
  credentials: validator.anything,
}
/** The journal has already looked, so there is nothing to wait for. */
const JOURNAL_RETURN: Validators<JournalReturnSettings<unknown>> = { show: validator.function }
const THREE_DS_RETURN: Validators<ThreeDsReturnSettings> = {
  ...CLIENT_RETURN,
  returnUrl: validator.text,
  nonce: validator.anything,
  language: validator.text,
  texts: validator.object,
}

type RouteName = keyof PaymentsRoutes
const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[]

/** The parts of any settings that are compared with the routes. */
export interface ComparedSettings {
  readonly name?: unknown
  readonly client?: unknown
  readonly journal?: unknown
  readonly callbacks?:
    | { readonly onOutcome?: unknown; readonly onNotice?: unknown; readonly onUnconfirmed?: unknown }
    | undefined
  readonly browserReturn?: object | undefined
  readonly threeDsReturn?: object | undefined
}

/** @throws TypeError that names the option of `forRoot` */
export function checkModuleOptions(options: PaymentsRoutes & ComparedSettings): void {
  checkOptions('PaymentsModule.forRoot', options, { ...REGISTRATION, ...SETTINGS })
  const instance = instanceOf(options)
  const kinds = settingKinds(options)
  checkRoutes(options, `of ${instance}`, (route) => ({ ...ROUTE_KINDS, ...kinds[route] }))
  checkEffects(instance, options, options)
}

/** @throws TypeError that names the option of `forRootAsync` */
export function checkAsyncOptions(options: PaymentsModuleAsyncOptions<ComparedSettings>): void {
  const kinds = { ...REGISTRATION, ...ROUTES, ...ASYNC, inject: validator.list }
  checkOptions('PaymentsModule.forRootAsync', options, kinds)
  const { useFactory, useClass, useExisting } = options
  if ([useFactory, useClass, useExisting].filter((way) => way !== undefined).length !== 1) {
    throw new TypeError('PaymentsModule.forRootAsync: give one of useFactory, useClass and useExisting')
  }
  checkRoutes(options, `of ${instanceOf(options)}`, () => PLACE_KINDS)
}

/** @throws TypeError that names the setting which a factory returned */
export function checkSettings<Settings extends ComparedSettings>(
  routes: PaymentsRoutes & { readonly name?: string },
  settings: Settings,
): Settings {
  const instance = instanceOf(routes)
  checkOptions(`the settings of ${instance}`, settings, SETTINGS)
  checkEffects(instance, routes, settings)
  const kinds = settingKinds(settings)
  checkRoutes(settings, `in the settings of ${instance}`, (route) => kinds[route])
  return settings
}

function checkRoutes(
  given: { readonly [Route in RouteName]?: object | undefined },
  where: string,
  kindsOf: (route: RouteName) => Readonly<Record<string, Validator>>,
): void {
  for (const route of ROUTE_NAMES) {
    if (given[route] !== undefined) checkOptions(`${route} ${where}`, given[route], kindsOf(route))
  }
}

function settingKinds({ journal }: ComparedSettings) {
  const browserReturn = journal === undefined ? CLIENT_RETURN : JOURNAL_RETURN
  return { callbacks: CALLBACKS, browserReturn, threeDsReturn: THREE_DS_RETURN }
}

/** @throws TypeError for settings that have no effect, and without a client */
function checkEffects(instance: string, routes: PaymentsRoutes, settings: ComparedSettings): void {
  if (settings.client === undefined) throw new TypeError(`${instance}: client must be given: an object`)
  for (const route of ROUTE_NAMES) {
    if (settings[route] !== undefined && routes[route]?.path === undefined) {
      throw new TypeError(
        `${instance}: ${route} has settings but no path, so no request reaches it: give the path of its route`,
      )
    }
  }
  const { journal, callbacks } = settings
  const { onOutcome, onNotice, onUnconfirmed } = callbacks ?? {}
  if (journal !== undefined && (onOutcome ?? onNotice ?? onUnconfirmed) !== undefined) {
    throw new TypeError(
      `${instance}: onOutcome, onNotice and onUnconfirmed are never called if there is a journal: use its own`,
    )
  }
}

function instanceOf({ name }: { readonly name?: unknown }): string {
  return `the instance ${typeof name === 'string' ? name : DEFAULT_INSTANCE}`
}
