import {
  catalogue,
  decodeRequest,
  type FieldIssue,
  GATEWAY_CODES,
  MalformedFormError,
  type OperationKey,
  type RequestValues,
} from '@tallystick/core'
import { ROW_OPERATIONS, type RowOperation, type RowsKey } from '@tallystick/core/internal'
import type { ProcessContext, Service } from '../context.ts'
import type { Claim } from '../http/concurrency-limit.ts'
import { type Answer, badSignature, overloaded, refusal, triedTooOften, wrongFields } from '../http/reply.ts'
import type { ReadRequest } from '../http/request.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import type { Target } from '../merchants/merchants.ts'
import { processRequest, type SingleKey } from '../operations/dispatch.ts'
import { requestFieldsOf } from '../operations/open-order.ts'
import { answerRows } from '../operations/recurring-batch.ts'
import { requestUnderWay, TriedTooOftenError } from '../processing/tries.ts'
import { explainOtherLogin, explainRefusal, reasonOfRefusal } from './explain-refusal.ts'
import { creates, firstAnswer, orFirstAnswer, refuseWrongFields, requestDigest } from './idempotency.ts'
import { NonceConsumer, NonceUsedError } from './nonce.ts'
import { cardNumbersInTexts, missingFields, withoutCardNumbers } from './validate.ts'
import { type Verification, type VerificationInput, verifyCaptureOfOrder, verifyRequest } from './verify.ts'

interface Claiming extends Service {
  /** Counts the request to its merchant's share of those under way. `false`: that is used up. */
  readonly claim: Claim
}

/** Verifies, then validates, then processes: only its merchant may learn what is wrong with a request. */
export async function answerRequest(request: ReadRequest, serialNumber: string, service: Claiming): Promise<Answer> {
  return await malformedRefused(async () => {
    const { merchants, profile, clock } = service
    const at = clock.now()
    const input = { request, target: merchants.find(request), decoy: merchants.decoy, profile, now: at }
    const verified = await verify(input, service)
    if (!verified.ok) return verified.issues === undefined ? await refuse(input, service) : wrongFields(verified.issues)
    // Before its nonce is burned: the merchant may send the same request again.
    if (!service.claim(verified.target.merchant.login)) return overloaded('This merchant')
    try {
      return await burnAndProcess(request, verified, { ...service, serialNumber, at })
    } catch (error) {
      if (error instanceof NonceUsedError) return await refuse(input, service, true)
      if (error instanceof TriedTooOftenError) return triedTooOften(error.afterSeconds)
      throw error
    }
  })
}

async function malformedRefused(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof MalformedFormError) return refusal(GATEWAY_CODES.invalidRequest, error.message)
    throw error
  }
}

/** Burns the nonce of a verified request whatever becomes of it: with the request's first change, or alone. */
async function burnAndProcess(request: ReadRequest, verified: Verified, service: Circumstances): Promise<Answer> {
  const burner = new NonceConsumer(verified.nonce, service.commit)
  const context = { ...service, commit: burner.commit }
  try {
    const answer = await malformedRefused(() => validateAndProcess(request, verified, context))
    // The request may be a replay, so it is answered only with what it created itself.
    if (burner.failure !== undefined && answer.values['serialNumber'] !== service.serialNumber) throw burner.failure
    return answer
  } finally {
    await burner.burn()
  }
}

/** A capture without an amount may be signed with the amount of its order (conflict C4). */
async function verify(input: VerificationInput, { store, time }: Service): Promise<Verification> {
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

type Verified = Extract<Verification, { ok: true }>

interface Circumstances extends Service {
  readonly serialNumber: string
  readonly at: number
}

async function validateAndProcess(
  request: ReadRequest,
  { target, signedAs }: Verified,
  service: Circumstances,
): Promise<Answer> {
  const known = { ...service, merchant: target.merchant, signedAs }
  const decoded = decodeRequest(request.key, request.pairs, service.profile)
  if (!decoded.ok) {
    const named = namedAmongWrong(request, decoded.issues, service)
    return naming(named, await refuseWrongFields(decoded.issues, { key: request.key, clientOrderId: named }, known))
  }
  const other = otherLogin(decoded.value, target)
  if (other !== undefined) {
    const reason = explainOtherLogin(other)
    return badSignature(reason, service.sandbox ? reason : undefined)
  }
  const { key, target: path } = request
  if (!isRows(key)) return await processDecoded({ key, target: path }, decoded.value, { ...known, target })
  return await answerRows(key, decoded.value as RequestValues<RowsKey>, known, async (row, values) => {
    const single = { key: row, target: path.replace(catalogue[key].path, catalogue[row].path) }
    return await processRow(single, values, { ...known, target, serialNumber: service.ids.serialNumber() })
  })
}

function isRows(key: OperationKey): key is RowsKey {
  return Object.hasOwn(ROW_OPERATIONS, key)
}

type Known = Circumstances & Pick<ProcessContext, 'merchant' | 'signedAs'> & { readonly target: Target }

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
  known: Known,
): Promise<Answer> {
  const { key, target } = request
  const { clientOrderId } = values
  const digest = known.vault.digest(requestDigest(target, key, values))
  const first = await firstAnswer({ key, clientOrderId, digest }, known)
  if (first !== undefined) return naming(clientOrderId, first)
  try {
    return await processDecoded(request, values, known)
  } catch (error) {
    if (error instanceof TriedTooOftenError) return triedTooOften(error.afterSeconds)
    throw error
  }
}

async function processDecoded<K extends SingleKey>(
  request: Single<K>,
  values: RequestValues<OperationKey>,
  known: Known,
): Promise<Answer> {
  const { key } = request
  const digest = known.vault.digest(requestDigest(request.target, key, values))
  const clientOrderId = clientOrderIdOf(values)
  const isCreating = creates(key) && catalogue[key].effect !== 'reads'
  const { tries, requireAlone, end } = requestUnderWay(isCreating ? clientOrderId : undefined, known)
  const context = { ...known, digest, tries }
  const processed = processAtEndpoint(request, withoutCardNumbers(values as RequestValues<K>), context)
  let isRepeat = false
  try {
    const answer = await orFirstAnswer(processed, { key, clientOrderId, digest }, known, () => {
      isRepeat = true
    })
    // Banks may refuse the second of two that are equal, and take the first.
    if (answer.values['errorCode'] === GATEWAY_CODES.refusedByAcquirer) requireAlone()
    return naming(clientOrderId, answer)
  } finally {
    end(isRepeat)
  }
}

async function processAtEndpoint<K extends SingleKey>(
  { key, target: path }: Single<K>,
  values: RequestValues<K>,
  { target, ...known }: Known & Pick<ProcessContext, 'digest'>,
): Promise<Answer> {
  const endpoint = endpointFor(target, key, values)
  if (endpoint === undefined) return currencyNotAllowed(target)
  const wrong = [
    ...(await missingFields(key, values, { ...known, target, endpoint })),
    ...cardNumbersInTexts(key, values),
  ]
  if (wrong.length > 0) return wrongFields(wrong)
  const particulars = requestFieldsOf(values)
  return await processRequest(key, values, { ...known, endpoint, groupId: target.groupId, path, particulars })
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

/** The login of the request, if it is not that of the endpoint's merchant: such a request is refused, whoever signed it. */
function otherLogin(request: RequestValues<OperationKey>, { merchant }: Target): string | undefined {
  return 'login' in request && request.login !== merchant.login ? String(request.login) : undefined
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
