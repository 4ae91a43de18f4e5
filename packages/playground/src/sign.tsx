import {
  catalogue,
  defineProfile,
  encodeRequest,
  type Operation,
  type OperationKey,
  operationKeys,
  type Pair,
  parseRequest,
} from '@tallystick/core'
import { endpointAddress, oauthMethodOf } from '@tallystick/core/internal'
import { exampleRequest } from '@tallystick/gateway/internal'
import { CopyButton, Raw } from '@tallystick/workbench/parts'
import { useId, useState } from 'preact/hooks'
import { asCurl, given, pairsOf, remarks, type SignedRequest, signedRequest } from 'tallystick/internal'
import type { Explaining } from './explain.tsx'
import { Field, failureOf, onPage } from './fields.tsx'
import { makeKeyPair } from './key-pair.ts'

/** The key of the examples in the documentation. It opens nothing. */
export const EXAMPLE_KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const BASE_URL = 'https://gate.example.com/paynet'

interface Typed {
  readonly operation: OperationKey
  readonly endpoint: string
  readonly isGroup: boolean
  readonly baseUrl: string
  readonly login: string
  /** `name=value`, one in a line. */
  readonly fields: string
  readonly controlKey: string
  /** PEM. */
  readonly privateKey: string
}

const START: Typed = {
  operation: 'sale',
  endpoint: '1111',
  isGroup: false,
  baseUrl: BASE_URL,
  login: 'merchantlogin',
  fields: exampleFields('sale'),
  controlKey: EXAMPLE_KEY,
  privateKey: '',
}

interface SignProps {
  readonly onExplain: (signed: Partial<Explaining>) => void
}

/** Signs a request, as the command `sign` does. */
export function Sign({ onExplain }: SignProps) {
  const [typed, setTyped] = useState(START)
  const [publicKey, setPublicKey] = useState('')
  const [signed, setSigned] = useState<Signed | { readonly failure: string }>()
  const ids = { operation: useId(), group: useId() }
  const put = (change: Partial<Typed>) => setTyped({ ...typed, ...change })
  const { auth }: Operation = catalogue[typed.operation]
  const scheme = schemeOf(typed.operation)
  const makePair = async () => {
    const pair = await makeKeyPair()
    setPublicKey(pair.publicKey)
    put({ privateKey: pair.privateKey })
  }
  return (
    <section aria-labelledby="sign">
      <h2 id="sign">Sign a request</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setSigned(attempt(typed))
        }}
      >
        <div class="field">
          <label for={ids.operation}>Operation</label>
          <select
            id={ids.operation}
            value={typed.operation}
            onChange={({ currentTarget }) => {
              const operation = currentTarget.value as OperationKey
              put({ operation, fields: exampleFields(operation) })
            }}
          >
            {operationKeys.map((key) => (
              <option key={key} value={key}>
                {key}
              </option>
            ))}
          </select>
          <p class="note">
            {auth.scheme === 'control'
              ? `Signed by a control over ${auth.terms.join(', ')} and the key.`
              : `Signed by OAuth 1.0a, ${scheme}.`}
          </p>
        </div>
        <Field label="Id of the endpoint" value={typed.endpoint} onInput={(endpoint) => put({ endpoint })} />
        <p class="check">
          <input
            id={ids.group}
            type="checkbox"
            checked={typed.isGroup}
            onChange={({ currentTarget }) => put({ isGroup: currentTarget.checked })}
          />
          <label for={ids.group}>It is the id of a group</label>
        </p>
        <Field label="Address of the gateway" value={typed.baseUrl} onInput={(baseUrl) => put({ baseUrl })} />
        <Field label="Login" value={typed.login} onInput={(login) => put({ login })} />
        <Field
          label="Fields, one in a line"
          rows={8}
          value={typed.fields}
          onInput={(fields) => put({ fields })}
          note="By their names on the wire. The card is a made-up one."
        />
        {scheme === 'RSA-SHA256' ? (
          <>
            <Field
              label="Private key, in PEM"
              rows={4}
              value={typed.privateKey}
              onInput={(privateKey) => put({ privateKey })}
            />
            <button type="button" onClick={() => void makePair()}>
              Make a pair for trying
            </button>
          </>
        ) : (
          <Field label="Control key" value={typed.controlKey} onInput={(controlKey) => put({ controlKey })} />
        )}
        <button type="submit" class="main">
          Sign
        </button>
      </form>
      <div role="status">
        {signed !== undefined && (
          <p>{'failure' in signed ? `Not signed: ${signed.failure}` : `Signed: ${summaryOf(signed)}`}</p>
        )}
      </div>
      {signed !== undefined && 'request' in signed && (
        <Result
          signed={signed}
          onExplain={() => {
            onExplain({ request: httpOf(signed.request), controlKey: typed.controlKey, publicKey })
            document.getElementById('explain')?.scrollIntoView()
          }}
        />
      )}
    </section>
  )
}

interface Signed {
  readonly operation: OperationKey
  readonly request: SignedRequest
  /** What a gateway would refuse about it. */
  readonly remarks: readonly string[]
}

function attempt(typed: Typed): Signed | { readonly failure: string } {
  const { operation, endpoint: id, isGroup, baseUrl, login, controlKey, privateKey } = typed
  try {
    const profile = given(() => defineProfile({ baseUrl }))
    const request = signedRequest({
      key: operation,
      endpoint: given(() => endpointAddress(isGroup ? { endpointGroupId: id.trim() } : { endpointId: id.trim() })),
      profile,
      login: login === '' ? undefined : login,
      pairs: pairsOf(typed.fields.split('\n').filter((line) => line.trim() !== '')),
      controlKey: () => controlKey,
      privateKey: () => privateKey,
      nonce: nonce(),
      timestamp: Math.floor(Date.now() / 1000),
    })
    return { operation, request, remarks: remarks(operation, request.body, profile) }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

function Result({
  signed: { request, remarks },
  onExplain,
}: {
  readonly signed: Signed
  readonly onExplain: () => void
}) {
  const http = httpOf(request)
  return (
    <>
      {remarks.length > 0 && (
        <>
          <h3>What a gateway would refuse</h3>
          <ul>
            {remarks.map((remark) => (
              <li key={remark}>{onPage(remark)}</li>
            ))}
          </ul>
        </>
      )}
      <h3>What was signed</h3>
      {request.scheme === 'control' ? (
        <table>
          <thead>
            <tr>
              <th scope="col">Term</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          <tbody>
            {[...request.terms, ['key', '[control key]'] as Pair].map(([name, text]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{text === '' ? '(empty)' : text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Raw>{request.baseString}</Raw>
      )}
      <h3>What to send</h3>
      <Raw>{http}</Raw>
      <p class="acts">
        <CopyButton text={http}>Copy the request</CopyButton>
        <CopyButton text={() => asCurl(request)}>Copy it as curl</CopyButton>
        <button type="button" onClick={onExplain}>
          Put it below, to change something
        </button>
      </p>
    </>
  )
}

function summaryOf({ request }: Signed): string {
  return request.scheme === 'control' ? `the control is ${request.control}` : `by ${request.scheme}`
}

/** As it goes over the wire. */
function httpOf(request: SignedRequest): string {
  const { host, pathname } = new URL(request.url)
  return [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Accept: application/vnd.pay+json',
    'Content-Type: application/x-www-form-urlencoded',
    ...('authorization' in request ? [`Authorization: ${request.authorization}`] : []),
    '',
    request.body,
  ].join('\n')
}

function schemeOf(operation: OperationKey) {
  const { auth }: Operation = catalogue[operation]
  return auth.scheme === 'control' ? 'control' : oauthMethodOf(auth, defineProfile({ baseUrl: BASE_URL }))
}

function exampleFields(operation: OperationKey): string {
  const profile = defineProfile({ baseUrl: BASE_URL, recurringExtensions: true })
  const parsed = parseRequest(operation, exampleRequest(operation, '902B4FF5'), profile)
  if (!parsed.ok) return ''
  return encodeRequest(operation, parsed.value, profile)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
}

/** Fresh and unpredictable: 128 bits. */
function nonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
