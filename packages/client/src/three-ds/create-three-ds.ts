import { type Callback, catalogue, changeShown, type Profile, type ReplyValues } from '@tallystick/core'
import { answer } from '../callbacks/handler.ts'
import type { PaymentClient } from '../client.ts'
import { warn } from '../diagnostics.ts'
import { namesOf, type Outcome, type WaitedOrder } from '../outcomes/outcome.ts'
import { seek } from '../outcomes/seek.ts'
import type { CallOptions } from '../result.ts'
import type { Signers } from '../signers.ts'
import { browserInfo } from './browser-info.ts'
import { checked } from './check-options.ts'
import { completedPage } from './page.ts'
import { readPageOptions } from './page-options.ts'
import { type Returned, readReturn } from './read-return.ts'
import { showStep } from './show-step.ts'
import { markOf, readState, type StepState, stateOf, writeState } from './state.ts'
import { type AwaitedStep, awaitedStep } from './step.ts'
import type { TakeOptions, ThreeDs, ThreeDsOptions, ThreeDsStep, ThreeDsTaken, UploadResult } from './three-ds.ts'

export interface ThreeDsDependencies {
  readonly client: Pick<
    PaymentClient,
    'watchOutcome' | 'verifiesCallback' | 'uploadMethodUrlResult' | 'uploadCresResult' | 'uploadParesResult'
  >
  readonly profile: Profile
  readonly signers: () => Signers
  readonly nonce: () => string
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

export function createThreeDs(deps: ThreeDsDependencies): ThreeDs {
  return {
    next: async (order, options) => await next(namesOf(order), checked(options), deps),
    take: async (inbound, options) => {
      const keys = deps.signers().map(({ controlKey }) => controlKey)
      const returned = readReturn(inbound, (text) => readState(text, keys))
      return await take(returned, checked(options), deps)
    },
  }
}

async function take(
  returned: Returned | undefined,
  options: TakeOptions,
  deps: ThreeDsDependencies,
): Promise<ThreeDsTaken> {
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
async function takeFinal(callback: Callback, options: TakeOptions, deps: ThreeDsDependencies): Promise<ThreeDsTaken> {
  if (!deps.client.verifiesCallback(callback, options)) {
    return { taken: 'nothing', page: answer(403, NO_PAYMENT) }
  }
  return await comeBack(callback, options, ({ step }) => step === 'redirect', deps)
}

/** Nothing is uploaded: what came decides nothing, or its result came when the address was first opened. */
async function comeBack(
  { clientOrderId, orderId }: Pick<StepState, 'clientOrderId' | 'orderId'>,
  options: TakeOptions,
  isDone: IsDone,
  deps: ThreeDsDependencies,
): Promise<ThreeDsTaken> {
  const order = { clientOrderId, orderId }
  return { taken: 'return', ...order, next: await next(order, options, deps, isDone) }
}

async function takeStep(returned: Uploaded, options: TakeOptions, deps: ThreeDsDependencies): Promise<ThreeDsTaken> {
  const { clientOrderId, orderId, mark } = returned.state
  const order = { clientOrderId, orderId }
  const upload = await uploadOf(returned, options, deps)
  const isDone: IsDone = (step) => isOver(upload) && markOf(step) === mark
  return { taken: 'step', ...order, upload, next: await next(order, options, deps, isDone) }
}

/** Whether sending it again could not end differently: its page submits itself, and would come back without end. */
function isOver(upload: UploadResult): boolean {
  if (upload.outcome === 'notSent') return upload.error.code === 'INVALID_INPUT'
  return upload.outcome !== 'unknown'
}

function uploadOf(returned: Uploaded, options: TakeOptions, { client }: ThreeDsDependencies): Promise<UploadResult> {
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
function browserOf(fields: Readonly<Record<string, string>>, { headers, customerIp }: TakeOptions) {
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
function ofPayment(told: Outcome): Outcome {
  const isChange = told.outcome !== 'undecided' && changeShown(told.reply) !== undefined
  return isChange ? { ...told, outcome: 'approved' } : told
}

/** The step that the order waits for. A method step without a URL needs no browser: its absence is uploaded at once. */
async function next(
  order: WaitedOrder,
  options: ThreeDsOptions,
  deps: ThreeDsDependencies,
  isDone: IsDone = () => false,
): Promise<ThreeDsStep> {
  const { clientOrderId } = order
  const { deadlineMs = WAIT_MS, returnUrl } = options
  const call = callOptions(options)
  const found = await seek(deps.client.watchOutcome(order, { ...call, deadlineMs }), (reply) => openStep(reply, isDone))
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
