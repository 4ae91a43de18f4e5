import { type Callback, catalogue, type Profile, type ReplyValues } from '@tallystick/core'
import { changeShown, type EndpointAddress } from '@tallystick/core/internal'
import { answer } from '../callbacks/handler.ts'
import type { Signers } from '../credentials.ts'
import { notUploaded, warn } from '../diagnostics.ts'
import { namesOf, type OrderRef, type Outcome } from '../outcomes/outcome.ts'
import { pollUntil } from '../outcomes/poll.ts'
import type { PaymentClient } from '../payment-client.ts'
import type { CallOptions } from '../result.ts'
import { browserInfo } from './browser.ts'
import { completedPage, showStep } from './page.ts'
import { type Returned, readReturn } from './read-return.ts'
import {
  type AwaitedStep,
  awaitedStep,
  markOf,
  type OpenSteps,
  openSteps,
  readState,
  type StepState,
  stateOf,
  writeState,
} from './steps.ts'
import {
  type AuthenticateOptions,
  type AuthenticationResult,
  checked,
  readPageOptions,
  type ThreeDs,
  type ThreeDsOptions,
  type ThreeDsStep,
  type UploadResult,
} from './three-ds.ts'

interface ThreeDsDependencies {
  readonly client: Pick<
    PaymentClient,
    'watchOutcome' | 'verifiesCallback' | 'uploadMethodUrlResult' | 'uploadCresResult' | 'uploadParesResult'
  >
  readonly profile: Profile
  readonly endpoint: EndpointAddress
  readonly signers: () => Signers
  readonly nonce: () => string
  readonly now: () => number
  readonly onWarning: (warning: string) => void
}

type IsDone = (step: AwaitedStep) => boolean
type Uploaded = Extract<Returned, { what: 'method' | 'challenge' | 'pareq' }>

const WAIT_MS = 30_000

/** For the customer; 400 and 403 distinguish the two reasons in the log. */
const NO_PAYMENT =
  'This page does not know which payment it is for. Please go back to the shop, and do not pay again before it shows the ' +
  'status of your payment.'

const NO_RETURN =
  "threeDs: a request to returnUrl is refused: it has neither the result of a step, with a state that this merchant's " +
  'controlKey has signed, nor the fields of a return'

interface Steps extends ThreeDsDependencies {
  readonly steps: OpenSteps
}

export function createThreeDs(given: ThreeDsDependencies): ThreeDs {
  const steps = openSteps(given.now)
  const deps: Steps = { ...given, steps }
  return {
    next: async (order, options) => await next(namesOf(order), checked(options), deps),
    take: async (inbound, options) => {
      const keys = deps.signers().map(({ controlKey }) => controlKey)
      const returned = readReturn(inbound, { open: (text) => readState(text, keys), find: steps.find })
      return await take(returned, checked(options), deps)
    },
  }
}

async function take(
  returned: Returned | undefined,
  options: AuthenticateOptions,
  deps: Steps,
): Promise<AuthenticationResult> {
  switch (returned?.what) {
    case 'frame':
      return {
        taken: 'frame',
        page: completedPage(new URL(options.returnUrl).origin, readPageOptions(options, deps.nonce)),
      }
    case 'final':
      return await takeFinal(returned.callback, options, deps)
    case 'again':
      return await comeBack(returned.state, options, (step) => markOf(step) === returned.state.mark, deps)
    case 'no-result':
      return await withoutResult(returned.state, options, deps)
    case 'method':
    case 'challenge':
    case 'pareq':
      return await takeStep(returned, options, deps)
    case undefined:
      warn(NO_RETURN, deps)
      return { taken: 'nothing', page: answer(400, NO_PAYMENT) }
  }
}

/** The gateway's own pages sent the browser back. A redirect that the status still shows was already followed. */
async function takeFinal(callback: Callback, options: AuthenticateOptions, deps: Steps): Promise<AuthenticationResult> {
  if (!deps.client.verifiesCallback(callback, options)) {
    return { taken: 'nothing', page: answer(403, NO_PAYMENT) }
  }
  return await comeBack(callback, options, ({ step }) => step === 'redirect', deps)
}

/** Nothing is uploaded: what came decides nothing, or its result came when the address was first opened. */
async function comeBack(
  { clientOrderId, orderId }: Pick<StepState, 'clientOrderId' | 'orderId'>,
  options: AuthenticateOptions,
  isDone: IsDone,
  deps: Steps,
): Promise<AuthenticationResult> {
  const order = { clientOrderId, orderId }
  return { taken: 'return', ...order, next: await next(order, options, deps, isDone) }
}

/** How long a customer waits at most whose result cannot be uploaded: the gateway will not get what it waits for. */
const SHORT_WAIT_MS = 3000

function soon(options: AuthenticateOptions): AuthenticateOptions {
  return { ...options, deadlineMs: Math.min(options.deadlineMs ?? WAIT_MS, SHORT_WAIT_MS) }
}

async function withoutResult(
  state: StepState,
  options: AuthenticateOptions,
  deps: Steps,
): Promise<AuthenticationResult> {
  reportNotUploaded(state, 'the browser came back without its result', deps)
  return await comeBack(state, soon(options), (step) => markOf(step) === state.mark, deps)
}

function reportNotUploaded({ step, clientOrderId }: StepState, why: string, deps: Steps): void {
  notUploaded({ operation: UPLOADS[step], clientOrderId, endpointId: deps.endpoint.id, why }, deps)
}

const UPLOADS = {
  method: catalogue.uploadMethodUrlResult.name,
  challenge: catalogue.uploadCresResult.name,
  pareq: catalogue.uploadParesResult.name,
  redirect: 'none',
} as const

async function takeStep(returned: Uploaded, options: AuthenticateOptions, deps: Steps): Promise<AuthenticationResult> {
  const { clientOrderId, orderId, mark } = returned.state
  const order = { clientOrderId, orderId }
  const upload = await uploadOf(returned, options, deps)
  const isRefused = isOver(upload) && upload.outcome !== 'accepted'
  if (isRefused) reportNotUploaded(returned.state, upload.error.message, deps)
  if (isOver(upload)) deps.steps.closed(returned.state)
  const isDone: IsDone = (step) => isOver(upload) && markOf(step) === mark
  const after = isRefused ? soon(options) : options
  return { taken: 'step', ...order, upload, next: await next(order, after, deps, isDone) }
}

/** Whether sending it again could not end differently: its page submits itself, and would come back without end. */
function isOver(upload: UploadResult): boolean {
  if (upload.outcome === 'notSent') return upload.error.code === 'INVALID_INPUT'
  return upload.outcome !== 'unknown'
}

function uploadOf(returned: Uploaded, options: AuthenticateOptions, { client }: Steps): Promise<UploadResult> {
  const { clientOrderId, orderId, threeDsServerTransId } = returned.state
  const order = { clientOrderId, orderId }
  const call = callOptions(options)
  switch (returned.what) {
    case 'challenge':
      return client.uploadCresResult({ ...order, cRes: returned.cRes }, call)
    case 'pareq':
      return client.uploadParesResult({ ...order, paRes: returned.paRes, md: returned.md || undefined }, call)
    case 'method': {
      const methodCompletion = returned.fields['methodCompletion'] === 'Y' ? 'Y' : 'N'
      const browser = browserOf(returned.fields, options)
      return client.uploadMethodUrlResult({ ...order, methodCompletion, threeDsServerTransId, ...browser }, call)
    }
  }
}

/** Proxies may pass an address with a port, a zone, or a word: the payment must not fail for it. */
const BROWSER_IP = catalogue.uploadMethodUrlResult.request.fields.browserIp.format

/** The upload has room for eight characters: of a longer language, such as `yue-Hant-HK`, its first part says enough. */
function browserOf(fields: Readonly<Record<string, string>>, { headers, customerIp }: AuthenticateOptions) {
  const browserIp = BROWSER_IP.read(customerIp) !== undefined ? { browserIp: customerIp } : {}
  if (headers === undefined) return browserIp
  const { browserInfo: _, browserLanguage = 'en', ...rest } = browserInfo({ headers, fields })
  return {
    ...rest,
    ...browserIp,
    browserLanguage: browserLanguage.length > 8 ? browserLanguage.split('-')[0]?.slice(0, 8) : browserLanguage,
  }
}

/** Only an approved payment is changed later: the customer sees the payment, whatever became of the change. */
function ofPayment(outcome: Outcome): Outcome {
  const isChange = outcome.outcome !== 'undecided' && changeShown(outcome.reply) !== undefined
  return isChange ? { ...outcome, outcome: 'approved' } : outcome
}

/** The step that the order waits for. A method step without a URL needs no browser: its absence is uploaded at once. */
async function next(
  order: OrderRef,
  options: ThreeDsOptions,
  deps: Steps,
  isDone: IsDone = () => false,
): Promise<ThreeDsStep> {
  const { clientOrderId } = order
  const { deadlineMs = WAIT_MS, returnUrl } = options
  const call = callOptions(options)
  const found = await pollUntil(deps.client.watchOutcome(order, { ...call, deadlineMs }), (reply) =>
    openStep(reply, isDone),
  )
  if ('outcome' in found) return { step: 'none', outcome: ofPayment(found.outcome) }
  const { step, orderId } = found
  if (step.step === 'method' && step.methodUrl === undefined) {
    const { threeDsServerTransId } = step
    const absent = { clientOrderId, orderId, methodCompletion: 'U', threeDsServerTransId } as const
    const upload = () => deps.client.uploadMethodUrlResult(absent, call)
    // No browser comes back here to send it once more.
    if (!isOver(await upload())) await upload()
    const mark = markOf(step)
    return await next(order, options, deps, (other) => isDone(other) || markOf(other) === mark)
  }
  const state = stateOf(step, { clientOrderId, orderId })
  deps.steps.opened(step, state)
  return showStep(step, {
    returnUrl,
    methodWaitSeconds: deps.profile.threeDsMethodWaitSeconds,
    page: readPageOptions(options, deps.nonce),
    state: writeState(state, deps.signers()[0].controlKey),
  })
}

/** The step that a status asks for, unless it is done: a gateway may show a step for a moment after its result was uploaded. */
function openStep(reply: ReplyValues<'status'>, isDone: IsDone) {
  const { orderId } = reply
  const step = awaitedStep(reply)
  return step === undefined || orderId === undefined || isDone(step) ? undefined : { step, orderId }
}

function callOptions({ signal, timeoutMs, endpointId, endpointGroupId, credentials }: CallOptions): CallOptions {
  return { signal, timeoutMs, endpointId, endpointGroupId, credentials }
}
