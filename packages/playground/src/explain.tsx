import { defineProfile } from '@tallystick/core'
import { signControl } from '@tallystick/signing'
import { Diagnosis as Found } from '@tallystick/workbench/diagnosis'
import { Raw } from '@tallystick/workbench/parts'
import { useState } from 'preact/hooks'
import {
  callbackQuery,
  type Diagnosis,
  diagnoseCallback,
  diagnoseRequest,
  given,
  NO_GATEWAY,
  readReceived,
  UsageError,
  unjudged,
} from 'tallystick/internal'
import { Field, failureOf, onPage } from './fields.tsx'
import { EXAMPLE_KEY } from './sign.tsx'

/** What is known of a signature that was refused. */
export interface Explaining {
  /** A request or a callback, as logs show it. */
  readonly request: string
  readonly controlKey: string
  /** PEM. */
  readonly publicKey: string
  readonly otherKeys: string
  readonly signedText: string
  readonly login: string
  readonly baseUrl: string
}

/** A sale that signs its amount as it is sent. */
export const EXAMPLE: Explaining = {
  request: `POST /paynet/api/v2/sale/1111 HTTP/1.1
Host: gate.example.com

client_orderid=902B4FF5&amount=10.42&currency=USD&email=john.smith%40gmail.com&control=${signControl({
    terms: ['1111', '902B4FF5', '10.42', 'john.smith@gmail.com'],
    key: EXAMPLE_KEY,
  })}`,
  controlKey: EXAMPLE_KEY,
  publicKey: '',
  otherKeys: '',
  signedText: '',
  login: '',
  baseUrl: '',
}

interface ExplainProps {
  readonly given: Explaining
  readonly onChange: (given: Explaining) => void
}

/** Names the mistake behind a signature that is refused, as the command `explain` does. */
export function Explain({ given, onChange }: ExplainProps) {
  const [said, setSaid] = useState<Diagnosis | { readonly failure: string }>()
  const put = (change: Partial<Explaining>) => {
    onChange({ ...given, ...change })
    setSaid(undefined)
  }
  return (
    <section aria-labelledby="explain">
      <h2 id="explain">Explain a signature that is refused</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setSaid(attempt(given))
        }}
      >
        <Field
          label="What was sent"
          rows={9}
          value={given.request}
          onInput={(request) => put({ request })}
          note="A request as a log or a proxy shows it: method and path, headers, an empty line, the form. Or a curl command, or the address of a callback with its query."
        />
        <Field label="Control key" value={given.controlKey} onInput={(controlKey) => put({ controlKey })} />
        <Field
          label="Public key, in PEM"
          rows={3}
          value={given.publicKey}
          onInput={(publicKey) => put({ publicKey })}
          note="Only for what is signed by RSA-SHA256."
        />
        <details>
          <summary>More that you know</summary>
          <Field label="Login" value={given.login} onInput={(login) => put({ login })} />
          <Field
            label="Address of the gateway"
            value={given.baseUrl}
            onInput={(baseUrl) => put({ baseUrl })}
            note="Scheme, host and path prefix, such as https://gate.example.com/paynet."
          />
          <Field
            label="Other keys"
            rows={3}
            value={given.otherKeys}
            onInput={(otherKeys) => put({ otherKeys })}
            note="One in a line, or in PEM: which may have been used instead, such as the sandbox's."
          />
          <Field
            label="Text that the sender signed"
            rows={3}
            value={given.signedText}
            onInput={(signedText) => put({ signedText })}
          />
        </details>
        <button type="submit" class="main">
          Explain
        </button>
      </form>
      <div role="status">
        {said !== undefined && <p>{'failure' in said ? `Nothing to explain: ${said.failure}` : verdictOf(said)}</p>}
      </div>
      {said !== undefined && 'what' in said && <Result said={said} />}
    </section>
  )
}

function attempt(typed: Explaining): Diagnosis | { readonly failure: string } {
  const { request, controlKey, publicKey, otherKeys, signedText, login, baseUrl } = typed
  const needed = (key: string, name: string) => {
    if (key.trim() === '') throw new UsageError(`the ${name} is missing: type it below`)
    return key
  }
  try {
    const profile = given(() => defineProfile({ baseUrl: baseUrl.trim() === '' ? NO_GATEWAY : baseUrl.trim() }))
    const known = {
      profile,
      controlKey: () => needed(controlKey, 'control key'),
      publicKey: () => needed(publicKey, 'public key'),
      otherKeys: otherKeys.match(/-----BEGIN[\s\S]*?-----END [A-Z ]+-----|^.+$/gm) ?? [],
      signedText: signedText === '' ? undefined : signedText,
      login: login === '' ? undefined : login,
      at: undefined,
    }
    return isCallback(request)
      ? diagnoseCallback(callbackQuery(request.trim()), known)
      : diagnoseRequest(readReceived(request, profile.baseUrl), known)
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

/** The status of an order and a control in a query: an address, a line of a log, or the query alone. */
function isCallback(text: string): boolean {
  const [line = ''] = text.trim().split('\n')
  return /[?&]control=/.test(line) && /(?:^|[?&])status=/.test(line) && !/^\W*curl\s/.test(line)
}

function verdictOf({ what, explanation, refusal }: Diagnosis): string {
  const [first = '', ...rest] = what
  const subject = first.toUpperCase() + rest.join('')
  if (!explanation.explained && explanation.right)
    return refusal === undefined
      ? `${subject} is right.`
      : `${subject} is right, and it is refused all the same: ${onPage(refusal)}.`
  return `${subject} is wrong${explanation.explained ? `: ${explanation.cause}` : ''}.`
}

function Result({ said: { explanation, suspicion, refusal, signedAt } }: { readonly said: Diagnosis }) {
  if (!explanation.explained && explanation.right) {
    return (
      <>
        {unjudged(signedAt).map((words) => (
          <p key={words}>{words}</p>
        ))}
      </>
    )
  }
  return (
    <>
      {refusal !== undefined && <p>It is refused whatever its signature: {onPage(refusal)}.</p>}
      {explanation.explained ? (
        <>
          <Found {...explanation} />
          <p>
            <a href={`errors/signatures.html#${explanation.cause}`}>More about {explanation.cause}</a>
          </p>
        </>
      ) : (
        <>
          {explanation.isCutShort ? (
            <p>The request is too long to try every mistake: a shorter one may be explained.</p>
          ) : (
            <>
              <p>No single mistake explains it. One at a time, these were tried: {suspicion.tried}.</p>
              <p>What remains, and nothing here tells which:</p>
              <ul>
                {suspicion.remaining.map((each) => (
                  <li key={each}>{onPage(each)}</li>
                ))}
              </ul>
              <p>{onPage(suspicion.proof)}</p>
            </>
          )}
          {explanation.expected !== undefined && (
            <>
              <h3>To be signed</h3>
              <Raw>{explanation.expected}</Raw>
            </>
          )}
        </>
      )}
    </>
  )
}
