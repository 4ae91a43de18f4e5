import { catalogue, decodeRequest, MalformedFormError, type OperationKey } from '@tallystick/core'
import {
  type FieldIssue,
  GATEWAY_CODES,
  type RequestValues,
  ROW_OPERATIONS,
  type RowOperation,
  type RowsKey,
} from '@tallystick/core/internal'
import type { RequestFields } from '../acquirer/acquirer.ts'
import type { RequestContext, Service } from '../context.ts'
import type { Claim } from '../http/concurrency-limit.ts'
import { type Answer, badSignature, overloaded, refusal, wrongFields } from '../http/reply.ts'
import type { ReadRequest, RequestTrace } from '../http/request.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import type { Target } from '../merchants/merchants.ts'
import { answerRows, processRequest, type SingleKey } from '../operations/dispatch.ts'
import { requestUnderWay } from '../processing/tries.ts'
import { explainOtherLogin, explainRefusal, inWords, reasonOfRefusal } from './explain-refusal.ts'
import { creates, findReplay, firstAnswer, onlyReads, refuseWrongFields, requestDigest } from './idempotency.ts'
import { NonceConsumer, NonceUsedError } from './nonce.ts'
import { cardNumbersInTexts, missingFields, withoutCardNumbers } from './validate.ts'
import { type VerificationInput, verifyCaptureOfOrder, verifyRequest } from './verify.ts'

interface Entered {
  readonly service: Service
  /** Counts the request to its merchant's share of those under way. `false`: that is used up. */
  readonly claim: Claim
  readonly trace?: RequestTrace | undefined
}

/** Verifies, then validates, then processes: only its merchant may learn what is wrong with a request. */
export async function handleRequest(
  request: ReadRequest,
  serialNumber: string,
  { service, claim, trace }: Entered,
): Promise<Answer> {
  const { merchants, profile, clock, sandboxKey } = service
  const at = clock.now()
  const input = {
    request,
    target: merchants.find(request),
    decoy: merchants.decoy,
    profile,
    now: at,
    sandboxKey: sandboxKey.publicKey,
  }
  try {
    const verified = await verify(input, service)
    if (!verified.ok) return verified.issues === undefined ? await refuse(input, service) : wrongFields(verified.issues)
    const { target, signedAs, by } = verified
    const { merchant } = target
    trace?.verified(by, merchant.login)
    // Before its nonce is consumed: the merchant may send the same request again.
    if (!claim(merchant.login)) return overloaded('This merchant')
    const nonce = new NonceConsumer(verified.nonce, service.commit)
    const context = { service, merchant, target, signedAs, serialNumber, at, commit: nonce.commit }
    return await nonce.consumedBy(serialNumber, async () => {
      const decoded = decodeRequest(request.key, request.pairs, profile)
      if (!decoded.ok) return await refuseFields(request, decoded.issues, context)
      const other = otherLogin(decoded.value, target)
      if (other !== undefined) return refuseLogin(other, service)
      const { key, target: path } = request
      if (!isRows(key)) return await processOnce({ key, target: path }, decoded.value, context)
      return await answerRows(key, decoded.value as RequestValues<RowsKey>, context, async (row, values) => {
        const single = { key: row, target: path.replace(catalogue[key].path, catalogue[row].path) }
        return await processRow(single, values, { ...context, serialNumber: service.ids.serialNumber() })
      })
    })
  } catch (error) {
    if (error instanceof NonceUsedError) return await refuse(input, service, true)
    if (error instanceof MalformedFormError) return refusal(GATEWAY_CODES.invalidRequest, error.message)
    throw error
  }
}

/** A capture without an amount may be signed with the amount of its order (conflict C4). */
async function verify(input: VerificationInput, { store, time }: Service) {
  const verified = verifyRequest(input)
  if (verified.ok || verified.issues !== undefined || input.request.key !== 'capture') return verified
  return await verifyCaptureOfOrder(input, store, time)
}

/** A sandbox says what is wrong. Elsewhere the answer is the same for every reason, so that a stranger learns nothing. */
async function refuse(input: VerificationInput, service: Service, isNonceSeen = false): Promise<Answer> {
  const { sandbox, store, merchants } = service
  const reason = reasonOfRefusal(input, isNonceSeen, merchants)
  return badSignature(reason, sandbox ? await explainRefusal(input, isNonceSeen, { store, merchants }) : undefined)
}

/** The login of the request, if it is not that of the endpoint's merchant: such a request is refused, whoever signed it. */
function otherLogin(request: RequestValues<OperationKey>, { merchant }: Target): string | undefined {
  return 'login' in request && request.login !== merchant.login ? String(request.login) : undefined
}

function refuseLogin(login: string, { sandbox }: Service): Answer {
  const reason = explainOtherLogin(login)
  return badSignature(reason, sandbox ? inWords(reason) : undefined)
}

async function refuseFields(
  request: ReadRequest,
  issues: readonly FieldIssue[],
  context: VerifiedContext,
): Promise<Answer> {
  const clientOrderId = namedAmongWrong(request, issues, context.service)
  return naming(clientOrderId, await refuseWrongFields(issues, { key: request.key, clientOrderId }, context))
}

function isRows(key: OperationKey): key is RowsKey {
  return Object.hasOwn(ROW_OPERATIONS, key)
}

/** A verified request, of which the endpoint is not known yet: the target may be a group. */
type VerifiedContext = Pick<RequestContext, 'service' | 'merchant' | 'signedAs' | 'serialNumber' | 'at' | 'commit'> & {
  readonly target: Target
}

/** A request with its own path and key, or a row that stands for one. */
interface Single<K extends SingleKey> extends Pick<ReadRequest, 'target'> {
  readonly key: K
}

/**
 * A row that was carried out is not sent to the acquirer again, else one that is slow would use up the time of every repeat with
 * the same rows.
 */
async function processRow(
  request: Single<RowOperation>,
  values: RequestValues<RowOperation>,
  context: VerifiedContext,
): Promise<Answer> {
  const { clientOrderId } = values
  const first = await firstAnswer(fingerprintOf(request, values, context), context)
  return first === undefined ? await processOnce(request, values, context) : naming(clientOrderId, first)
}

/**
 * Carries a request out once: a repeat gets the first answer. It is looked for only after a refusal or a failure, so that a request
 * that is new reads nothing for it; of two that are equal and come at once, the store refuses the second.
 */
async function processOnce<K extends SingleKey>(
  request: Single<K>,
  values: RequestValues<OperationKey>,
  context: VerifiedContext,
): Promise<Answer> {
  const { key } = request
  const fingerprint = fingerprintOf(request, values, context)
  const { clientOrderId, digest } = fingerprint
  const isCreating = creates(key) && catalogue[key].effect !== 'reads'
  const { takeTry, requireAlone, end } = requestUnderWay(isCreating ? clientOrderId : undefined, context)
  const masked = withoutCardNumbers(values as RequestValues<K>)
  let isRepeat = false
  try {
    const [processed] = await Promise.allSettled([validateAndProcess(request, masked, { ...context, digest, takeTry })])
    const replay = await findReplay(processed, fingerprint, context)
    isRepeat = replay !== undefined
    const answer = replay ?? answerOf(processed)
    // Banks may refuse the second of two that are equal, and take the first.
    if (answer.values['errorCode'] === GATEWAY_CODES.refusedByAcquirer) requireAlone()
    return naming(clientOrderId, answer)
  } finally {
    end(isRepeat)
  }
}

function fingerprintOf<K extends SingleKey>(
  { key, target }: Single<K>,
  values: RequestValues<OperationKey>,
  { service }: VerifiedContext,
) {
  return {
    key,
    clientOrderId: clientOrderIdOf(values),
    // Nothing that only reads is carried out twice.
    digest: onlyReads(key) ? '' : service.vault.digest(requestDigest(target, key, values)),
  }
}

/** @throws what the request failed with */
function answerOf(processed: PromiseSettledResult<Answer>): Answer {
  if (processed.status === 'rejected') throw processed.reason
  return processed.value
}

async function validateAndProcess<K extends SingleKey>(
  { key, target: path }: Single<K>,
  values: RequestValues<K>,
  context: VerifiedContext & Pick<RequestContext, 'digest' | 'takeTry'>,
): Promise<Answer> {
  const { service, target } = context
  const endpoint = endpointFor(target, key, values)
  if (endpoint === undefined) return currencyNotAllowed(target)
  const missing = await missingFields(key, values, { service, target, endpoint })
  const wrong = [...missing, ...cardNumbersInTexts(key, values)]
  if (wrong.length > 0) return wrongFields(wrong)
  const requestFields = requestFieldsOf(values)
  return await processRequest(key, values, { ...context, endpoint, groupId: target.groupId, path, requestFields })
}

/**
 * A group routes by currency (gaps part 1). A request that names no currency goes to the first endpoint. So does one that acts
 * on an order, whose own currency counts: an order in a currency that the endpoint stopped accepting can still be captured and
 * refunded.
 */
function endpointFor(
  { endpoints }: Target,
  key: OperationKey,
  request: RequestValues<OperationKey>,
): Endpoint | undefined {
  const named = 'currency' in request && typeof request.currency === 'string' ? request.currency : undefined
  const currency = creates(key) ? named : undefined
  return endpoints.find(({ currencies }) => currency === undefined || currencies?.has(currency) !== false)
}

function currencyNotAllowed({ endpoints }: Target): Answer {
  const known = endpoints.flatMap(({ currencies }) => [...(currencies ?? [])]).join(', ')
  return refusal(GATEWAY_CODES.currencyNotAllowed, `currency (currency) must be one of ${known} at this endpoint.`)
}

/** Refusals have the merchant's order id too, so that the merchant knows which request they are about (gaps part 4). */
function naming(clientOrderId: string | undefined, answer: Answer): Answer {
  return clientOrderId === undefined ? answer : { ...answer, values: { clientOrderId, ...answer.values } }
}

function clientOrderIdOf(request: RequestValues<OperationKey>): string | undefined {
  return 'clientOrderId' in request && typeof request.clientOrderId === 'string' ? request.clientOrderId : undefined
}

/** The order id of a form with wrong fields, unless it is wrong itself. */
function namedAmongWrong(
  { key, pairs }: ReadRequest,
  issues: readonly FieldIssue[],
  { profile }: Service,
): string | undefined {
  if (issues.some(({ field }) => field === 'clientOrderId')) return undefined
  const { read } = catalogue[key].request.spelling(profile.wireNames)
  return pairs
    .filter(([wireName]) => read.get(wireName) === 'clientOrderId')
    .map(([, value]) => value.trim())
    .find((value) => value !== '')
}

/** Fields for the gateway alone, or handed over with the card. */
const NOT_PARTICULAR: ReadonlySet<string> = new Set(['login', 'endpoint', 'expireMonth', 'expireYear'])

/** What the acquirer receives of a request besides its card. Card numbers and CVVs are no plain texts, so they are left out. */
function requestFieldsOf(request: RequestValues<OperationKey>): RequestFields {
  const values = request as Readonly<Record<string, unknown>>
  const fields: Record<string, string> = {}
  for (const name of Object.keys(values)) {
    const value = values[name]
    const isText = typeof value === 'string' || typeof value === 'boolean'
    if (isText && !NOT_PARTICULAR.has(name)) fields[name] = String(value)
  }
  return { fields, extra: request.extra }
}
