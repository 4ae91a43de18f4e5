import { generateKeyPairSync } from 'node:crypto'
import {
  catalogue,
  controlTerms,
  defineProfile,
  encodeRequest,
  type OAuthMethod,
  type Operation,
  type OperationKey,
  operationKeys,
  operationUrl,
  type Pair,
  type Profile,
  parseForm,
  parseRequest,
  type RecordedEvent,
  serializeForm,
} from '@tallystick/core'
import {
  type ControlTerm,
  describeIssue,
  type EndpointAddress,
  type GatewayRequest,
  type ModelField,
  matchPath,
  type OAuthAuth,
  oauthMethodOf,
  REPLY_MEDIA_TYPES,
  type TextSchema,
} from '@tallystick/core/internal'
import { baseStringUri, rsaPrivateKey, rsaPublicKey, signControl, signOAuth } from '@tallystick/signing'
import type { Service } from '../context.ts'
import { FAULTS } from '../faults/faults.ts'
import { isJson } from '../http/request.ts'
import type { Merchant, Target } from '../merchants/merchants.ts'
import { exampleRequest } from './example-request.ts'

/** An operation as the reference has it, and as this gateway spells it. */
export interface OperationReference extends OperationSummary {
  /** The paths below the base URL under which it is served. */
  readonly paths: readonly string[]
  readonly kind: Operation['kind']
  readonly fields: readonly FieldReference[]
  /** A request of it, valid but for ids of an order, a card or a recurring payment. */
  readonly example: readonly DraftField[]
}

/** An operation in a list. */
export interface OperationSummary {
  readonly key: OperationKey
  /** Of the specification. */
  readonly name: string
  readonly meaning: string
  readonly effect: Operation['effect']
  /** By what its requests are signed. */
  readonly signature: 'control' | 'HMAC-SHA1' | 'RSA-SHA256'
}

interface FieldReference {
  /** On the wire. */
  readonly name: string
  /** In our models, and in the client. */
  readonly field: string
  readonly meaning: string
  /** `always`, `no`, or when: completes the sentence "required ...". */
  readonly required: string
  /** Completes the sentence "the field must be ...". */
  readonly bound: string
  readonly shape: TextSchema
}

/** A request that can be signed and sent. */
export interface Draft {
  readonly operation: OperationKey
  /** Where it is sent. */
  readonly url: string
  readonly endpoint: EndpointAddress
  readonly login: string
  readonly baseUrl: string
  /** What this gateway has otherwise than the specification. */
  readonly brand: Partial<Profile>
  readonly fields: readonly DraftField[]
  /** `undefined`: a signed field breaks its own grammar, so there is nothing to sign. */
  readonly signature: DraftSignature | undefined
  /** What is otherwise than in the request that was recorded, and what is wrong with it still; each a sentence. */
  readonly notes: readonly string[]
}

/** A field of a form. */
interface DraftField {
  readonly name: string
  /** In our models and in the client; absent for a field that is not documented. */
  readonly field?: string | undefined
  readonly value: string
}

type DraftSignature =
  | {
      readonly scheme: 'control'
      /** The texts that are joined, without the key, which comes last. */
      readonly terms: ReadonlyArray<{ readonly term: ControlTerm; readonly text: string }>
    }
  | {
      readonly scheme: 'HMAC-SHA1' | 'RSA-SHA256'
      /** The address as the base string has it. */
      readonly url: string
    }

/** What to send: fields by their names on the wire. */
export interface RequestToSend {
  readonly operation: OperationKey
  /** An endpoint or a group. Default: the first endpoint. */
  readonly endpoint?: string | undefined
  /** One of the operation's. Default: the profile's. */
  readonly path?: string | undefined
  readonly fields: Readonly<Record<string, string>>
}

/** Requests that a sandbox makes in place of a merchant. */
export interface SandboxRequests {
  readonly operations: readonly OperationSummary[]
  operation(key: OperationKey): OperationReference
  /** The recorded request as it should have been: what was masked or is missing is from an example. `undefined`: it asks for no operation. */
  putRight(request: Recorded<'request'>, reply: Recorded<'reply'> | undefined): Draft | undefined
  /**
   * Signs with the keys of the endpoint's merchant. By its header `user-agent` it can be told from all others.
   *
   * @throws TypeError if there is no such endpoint or path
   */
  signed(request: RequestToSend): GatewayRequest
}

type Recorded<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: Type }>

/** Where a request goes, and whose it is. */
interface Addressed {
  readonly key: OperationKey
  readonly endpoint: EndpointAddress
  readonly target: Target
  readonly url: string
}

export function sandboxRequests(
  service: Pick<Service, 'merchants' | 'profile' | 'clock' | 'random' | 'sandboxKey'>,
  configured: ReadonlyArray<{ readonly login: string; readonly endpoints: readonly string[] }>,
): SandboxRequests {
  const { merchants, profile, clock, random, sandboxKey } = service
  const { pathname } = new URL(profile.baseUrl)
  const basePath = pathname === '/' ? '' : pathname

  /** A number that nobody has had, between two letters: the border of the id in a control must not shift. */
  const newId = () => {
    const bytes = Buffer.alloc(8)
    random(bytes)
    return `t${bytes.toString('hex')}z`
  }

  function example(key: OperationKey, { login }: Pick<Merchant, 'login'>): readonly DraftField[] {
    const model = catalogue[key].request
    const input = { ...exampleRequest(key, newId()), ...('login' in model.fields && { login }) }
    const parsed = parseRequest(key, input, { ...profile, recurringExtensions: true })
    if (!parsed.ok) throw new TypeError(parsed.issues.map(describeIssue).join('\n'))
    return named(key, encodeRequest(key, parsed.value, profile))
  }

  function named(key: OperationKey, pairs: readonly Pair[]): readonly DraftField[] {
    const { read } = catalogue[key].request.spelling(profile.wireNames)
    return pairs.map(([name, value]) => ({ name, field: read.get(name), value }))
  }

  function addressed(key: OperationKey, endpoint: EndpointAddress, path?: string): Addressed {
    const target = merchants.find({ key, endpoint })
    if (target === undefined) throw new TypeError(`there is no endpoint or group ${endpoint.id} for ${key}`)
    const usual = operationUrl(key, endpoint, profile)
    const url =
      path === undefined ? usual : usual.replace(pathsOf(key).find((each) => usual.includes(`${each}/`)) ?? '', path)
    return { key, endpoint, target, url }
  }

  /** The first endpoint, of this merchant if there is such a one. */
  function someEndpoint(login: string | undefined): EndpointAddress {
    const merchant = configured.find((each) => each.login === login) ?? configured[0]
    return { id: merchant?.endpoints[0] ?? '', isGroup: false }
  }

  function signatureOf({ key, endpoint, url }: Addressed, pairs: readonly Pair[]): DraftSignature | readonly string[] {
    const { auth, request: model }: Operation = catalogue[key]
    if (auth.scheme === 'oauth') return { scheme: methodAt(auth, url), url: baseStringUri(url) }
    const made = controlTerms({ auth, model, endpointId: endpoint.id, pairs, profile })
    if (!made.ok) return made.issues.map(describeIssue)
    return { scheme: 'control', terms: auth.terms.map((term, at) => ({ term, text: made.terms[at] ?? '' })) }
  }

  function methodAt(auth: OAuthAuth, url: string): OAuthMethod {
    return auth.method === 'by-profile' && url.includes('/api/v4/') ? 'RSA-SHA256' : oauthMethodOf(auth, profile)
  }

  function summary(key: OperationKey): OperationSummary {
    const { name, meaning, effect, auth }: Operation = catalogue[key]
    const url = operationUrl(key, someEndpoint(undefined), profile)
    const signature = auth.scheme === 'control' ? auth.scheme : methodAt(auth, url)
    return { key, name, meaning, effect, signature }
  }

  return {
    operations: operationKeys.map(summary),
    operation: (key) => {
      const { kind, request }: Operation = catalogue[key]
      const { fields } = request
      const spelled = request.spelling(profile.wireNames).sent
      return {
        ...summary(key),
        paths: pathsOf(key),
        kind,
        fields: spelled.flatMap(([field, name]) => referenceOf(name, field, fields[field]) ?? []),
        example: example(key, { login: configured[0]?.login ?? '' }),
      }
    },
    putRight: ({ path, form }, reply) => {
      const route = path.startsWith(`${basePath}/`) ? matchPath(path.slice(basePath.length)) : undefined
      if (route === undefined) return undefined
      const { key } = route
      const notes: string[] = []
      const isKnown = merchants.find(route) !== undefined
      const endpoint = isKnown ? route.endpoint : someEndpoint(reply?.login)
      if (!isKnown) notes.push(`The endpoint is ${endpoint.id} instead of ${route.endpoint.id}.`)
      const sentTo = pathsOf(key).find((each) => path.startsWith(`${basePath}${each}/`))
      const where = addressed(key, endpoint, sentTo)
      const { login } = where.target.merchant
      const fields = rightFields(named(key, formIn(form)), example(key, { login }), { key, login, notes })
      const pairs = fields.map(({ name, value }): Pair => [name, value])
      const signature = signatureOf(where, pairs)
      const isSigned = !('length' in signature)
      const { url } = where
      return {
        operation: key,
        url,
        endpoint,
        login,
        baseUrl: profile.baseUrl,
        brand: brandOf(profile, { key, path: sentTo, fields }),
        fields,
        signature: isSigned ? signature : undefined,
        notes: isSigned ? notes : [...notes, ...signature],
      }
    },
    signed: ({ operation: key, endpoint: id, path, fields }) => {
      if (path !== undefined && !pathsOf(key).includes(path)) throw new TypeError(`${key} has no path ${path}`)
      const isGroup = id !== undefined && merchants.kindOf(id) === 'group' && catalogue[key].groupAddress === 'segment'
      const where = addressed(key, id === undefined ? someEndpoint(undefined) : { id, isGroup }, path)
      const { merchant } = where.target
      const pairs = Object.entries(fields)
      const signature = signatureOf(where, pairs)
      const sent = {
        accept: REPLY_MEDIA_TYPES.json,
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': `tallystick-workbench (${newId()})`,
      }
      const { pathname: target } = new URL(where.url)
      const request = { method: 'POST', url: target } as const
      // The gateway says what is wrong with a field before it looks at the control.
      if ('length' in signature) return { ...request, headers: sent, body: serializeForm(pairs) }
      if (signature.scheme === 'control') {
        const terms = signature.terms.map(({ text }) => text)
        const control = signControl({ terms, key: merchant.controlKey.reveal() })
        return { ...request, headers: sent, body: serializeForm([...pairs, ['control', control]]) }
      }
      const signer =
        signature.scheme === 'HMAC-SHA1'
          ? { method: signature.scheme, key: merchant.hmacKey }
          : { method: signature.scheme, key: privateKey() }
      const { authorization, body } = signOAuth({
        ...signer,
        httpMethod: 'POST',
        url: where.url,
        parameters: pairs,
        consumerKey: merchant.login,
        nonce: newId(),
        timestamp: Math.floor(clock.now() / 1000),
      })
      return { ...request, headers: { ...sent, authorization }, body }
    },
  }

  function privateKey() {
    if (sandboxKey.privateKey !== undefined) return sandboxKey.privateKey
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    sandboxKey.publicKey = rsaPublicKey(pair.publicKey)
    sandboxKey.privateKey = rsaPrivateKey(pair.privateKey)
    return sandboxKey.privateKey
  }
}

function pathsOf(key: OperationKey): readonly string[] {
  const { path, otherPaths }: Operation = catalogue[key]
  return [path, ...otherPaths]
}

function referenceOf(name: string, field: string, given: ModelField | undefined): FieldReference | undefined {
  if (given === undefined) return undefined
  const { meaning, necessity, condition = '', format } = given
  const required = necessity === 'required' ? 'always' : necessity === 'optional' ? 'no' : condition
  return { name, field, meaning, required, bound: format.bound, shape: format.wire }
}

/** What is no form is not recorded, or as a name without a value. */
function formIn(form: string | undefined): readonly Pair[] {
  const pairs = parseForm(form ?? '')
  return isJson(pairs[0]?.[0] ?? '') ? [] : pairs.filter(([name]) => name !== 'control' && !name.startsWith('oauth_'))
}

interface Rightly {
  readonly key: OperationKey
  readonly login: string
  /** Gets what is otherwise. */
  readonly notes: string[]
}

/** The fields as they were sent, without white space at their ends; those that are masked or missing are from the example. */
function rightFields(
  sent: readonly DraftField[],
  example: readonly DraftField[],
  { key, login, notes }: Rightly,
): readonly DraftField[] {
  if (sent.length === 0) {
    notes.push('The body is no form: an example stands for it.')
    return example
  }
  const examples = new Map(example.map(({ field, value }) => [field, value]))
  const fields = sent.map(({ name, field, value }) => {
    const text = value.trim()
    if (field === 'login' && text !== login) {
      notes.push(`${name} is ${login}, whose endpoint it is.`)
      return { name, field, value: login }
    }
    const plain = isMasked(text) ? unmasked(field, text, examples.get(field)) : undefined
    if (plain !== undefined) notes.push(`${name} is not recorded: ${plain} stands for it.`)
    else if (text !== value) notes.push(`${name} has no white space at its ends.`)
    return { name, field, value: plain ?? text }
  })
  const model: Readonly<Record<string, ModelField>> = catalogue[key].request.fields
  const missing = example.filter(({ field = '' }) => {
    const isSent = fields.some((each) => each.field === field && each.value !== '')
    return model[field]?.necessity === 'required' && !isSent
  })
  for (const { name, value } of missing) notes.push(`${name} was not sent: ${value} stands for it.`)
  return [...fields.filter(({ field }) => !missing.some((each) => each.field === field)), ...missing]
}

/** What the recording has in place of a card, a code, rows or a message. */
function isMasked(text: string): boolean {
  return /^\*{3}$|^\d{6}\*{3}\d{4}$|^\[\d+ (?:lines|characters)\]$/.test(text)
}

/** A card number that nobody has, with the same first and last digits if there is one. */
function unmasked(field: string | undefined, text: string, example: string | undefined): string | undefined {
  const [, bin, last] = /^(\d{6})\*{3}(\d{4})$/.exec(text) ?? []
  const card = bin && TEST_CARDS.find((each) => each.startsWith(bin) && each.endsWith(last ?? ''))
  return card || example || (field !== undefined && /card/i.test(field) ? TEST_CARDS[0] : undefined)
}

/** The first is approved; the others choose what the simulated issuer does, or a fault. */
const TEST_CARDS: readonly string[] = [
  '4444555566661111',
  ...['10', '28', '36', '44', '51'].map((end) => `44444444000000${end}`),
  ...Object.values(FAULTS).map(({ card }) => card),
]

/** What a client has to be told of the profile. */
function brandOf(
  profile: Profile,
  { key, path, fields }: { key: OperationKey; path: string | undefined; fields: readonly DraftField[] },
): Partial<Profile> {
  const { name: _, recurringExtensions: __, ...usual } = defineProfile({ baseUrl: profile.baseUrl })
  const own = Object.entries(usual).filter(([option, value]) => {
    return JSON.stringify(value) !== JSON.stringify(profile[option as keyof Profile])
  })
  const isExtension = key === 'getRecurringPayment' || fields.some(({ field }) => field === 'recurringPaymentState')
  return {
    ...Object.fromEntries(own.map(([option]) => [option, profile[option as keyof Profile]])),
    ...(isExtension && { recurringExtensions: true }),
    ...(key === 'makeRebill' && path !== catalogue.makeRebill.path && { rebillPath: path as Profile['rebillPath'] }),
    ...(key === 'payoutForm' &&
      path !== catalogue.payoutForm.path && {
        payoutFormPath: path as Profile['payoutFormPath'],
        payoutFormMethod: 'RSA-SHA256',
      }),
  }
}
