import { useMemo } from 'preact/hooks'
import { useLoaded, useWorkbench } from '../context.ts'
import { type FieldReference, type OperationReference, referenceOf } from '../draft.ts'
import { Empty, Facts } from '../parts.tsx'
import type { EventOf } from '../recorded-fields.ts'
import { RequestForm } from '../request-form.tsx'
import type { SetUp } from './set-up.tsx'

type Summary = Pick<OperationReference, 'key' | 'meaning' | 'effect' | 'signature'>

const EFFECTS: ReadonlyArray<readonly [effect: string, title: string]> = [
  ['moves-money', 'Moves money'],
  ['stores-card', 'Stores a card'],
  ['reads', 'Reads'],
  ['uploads', 'Uploads a result of 3-D Secure'],
]

/** Every operation, or one as a form. */
export function ExplorerPage({ operation, query }: { readonly operation: string; readonly query: URLSearchParams }) {
  return operation === '' ? <Operations /> : <OperationForm key={operation} operation={operation} query={query} />
}

function Operations() {
  const { sandbox } = useWorkbench()
  const { value, error } = useLoaded(
    () => sandbox.ask<{ readonly operations: readonly Summary[] }>('GET', '/operations'),
    [sandbox],
  )
  const groups = EFFECTS.map(([effect, title]) => {
    return { title, of: value?.operations.filter((each) => each.effect === effect) ?? [] }
  })
  return (
    <>
      <h1>Explorer</h1>
      <p>Every operation of the interface, with an example that the sandbox signs and sends for you.</p>
      {error !== undefined && <Empty>{error}</Empty>}
      {groups
        .filter(({ of }) => of.length > 0)
        .map(({ title, of }) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <ol class="rows">
              {of.map(({ key, meaning, signature }) => (
                <li key={key}>
                  <a class="row operation" href={`#/explorer/${key}`}>
                    <span class="what">{key}</span>
                    <span>{meaning.replaceAll('`', '')}</span>
                    <span class="kind">{signature}</span>
                  </a>
                </li>
              ))}
            </ol>
          </section>
        ))}
    </>
  )
}

interface OperationFormProps {
  readonly operation: string
  readonly query: URLSearchParams
}

function OperationForm({ operation, query }: OperationFormProps) {
  const { sandbox, feed } = useWorkbench()
  const { value, error } = useLoaded(async () => {
    const reference = await sandbox.ask<OperationReference>('GET', `/operations/${encodeURIComponent(operation)}`)
    return { reference, setUp: await sandbox.ask<SetUp>('GET', '/setup') }
  }, [sandbox, operation])
  // Of the time at which the form opens: what comes in later must not change what somebody types.
  const known = useMemo(
    () => (feed.state === 'connecting' ? undefined : knownIds(operation, feed.events)),
    [operation, feed.state === 'connecting', value === undefined],
  )
  if (value === undefined || known === undefined) {
    return (
      <>
        <p class="over">Operation</p>
        <h1>{operation}</h1>
        {error === undefined ? (
          <p>Loading</p>
        ) : (
          <Empty>
            <p>{error}</p>
            <p>
              Choose one of <a href="#/explorer">all operations</a>.
            </p>
          </Empty>
        )}
      </>
    )
  }
  const { reference, setUp } = value
  const { key, name: specified, meaning, signature, effect, paths, fields, example } = reference
  const examples = new Map(example.map((each) => [each.name, each.value]))
  const knownFor = ({ name, field }: FieldReference) =>
    field.endsWith('rderId') || examples.get(name) === MADE_UP ? known.get(field) : undefined
  const edited = fields.map((field) => ({
    name: field.name,
    field: field.field,
    value: query.get(field.name) ?? knownFor(field) ?? examples.get(field.name) ?? '',
    hint: hintOf(field),
    options: field.shape.enum,
  }))
  const isShown = ({ name: each, value: text }: (typeof edited)[number]) =>
    text !== '' || fields.some((field) => field.name === each && field.required === 'always')
  const endpoints = setUp.merchants.flatMap((merchant) => merchant.endpoints)
  const wanted = edited.find(({ field, value: text }) => text === MADE_UP && !known.has(field))
  return (
    <>
      <p class="over">{specified}</p>
      <h1>{key}</h1>
      <p>{meaning.replaceAll('`', '')}</p>
      <Facts
        facts={[
          ['Address', <code>{`POST ${paths.join(', ')}`}</code>],
          ['Signed by', SIGNATURES[signature]],
          ['Effect', effect],
          ['In the client', <code>{`client.${key}(input)`}</code>],
          ['Reference', <code>{referenceOf(key)}</code>],
        ]}
      />
      {wanted !== undefined && <Missing field={wanted.field} operation={key} />}
      <RequestForm
        operation={key}
        endpoint={endpoints[0] ?? ''}
        endpoints={endpoints}
        path={paths[0] ?? ''}
        paths={paths}
        fields={edited.filter(isShown)}
        others={edited.filter((each) => !isShown(each))}
      >
        Sign and send
      </RequestForm>
    </>
  )
}

const SIGNATURES: Readonly<Record<string, string>> = {
  control: 'a control, the SHA-1 of its terms and the key',
  'HMAC-SHA1': 'OAuth 1.0a with HMAC-SHA1',
  'RSA-SHA256': 'OAuth 1.0a with RSA-SHA256',
}

function hintOf({ field, meaning, required, bound }: FieldReference): string {
  const when = required === 'always' ? 'Required.' : required === 'no' ? '' : `Required ${required}.`
  return [
    meaning.replaceAll('`', ''),
    when,
    `It must be ${bound}.`,
    field === 'login' ? 'The client adds it.' : `In the client: ${field}.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** What an example has in place of an id that only a gateway can give. */
const MADE_UP = '100000000000001'

/** Which operations make an order that another acts on. */
const ORDERS_OF: Readonly<Record<string, readonly string[]>> = {
  capture: ['preauth', 'preauthForm'],
  void: ['sale', 'preauth', 'capture'],
  return: ['sale', 'preauth', 'capture'],
  createCardRef: ['sale', 'preauth', 'accountVerification'],
  createCardRefV4: ['sale', 'preauth', 'accountVerification'],
  payoutPay: ['payoutCheck'],
  uploadCresResult: ['sale', 'preauth'],
  uploadMethodUrlResult: ['sale', 'preauth'],
  uploadParesResult: ['sale', 'preauth'],
  status: ['sale', 'preauth', 'payout', 'transfer'],
}

/** What has to be sent first. */
const FIRST: Readonly<Record<string, string>> = {
  cardRefId: 'createCardRef',
  sendingCardRefId: 'createCardRef',
  destinationCardRefId: 'createCardRef',
  recurringPaymentId: 'createRecurringPayment',
}

/** The ids that the gateway gave last, by the names of the fields that take them. */
function knownIds(operation: string, events: readonly { readonly type: string }[]): ReadonlyMap<string, string> {
  const replies = events.filter((event): event is EventOf<'reply'> => event.type === 'reply')
  const known = new Map<string, string>()
  const order = replies.findLast((reply) => {
    return reply.orderId !== undefined && ORDERS_OF[operation]?.includes(reply.operation ?? '')
  })
  if (order !== undefined) {
    known.set('orderId', order.orderId ?? '').set('clientOrderId', order.clientOrderId ?? '')
  }
  for (const [field, name] of GIVEN) {
    const text = replies.findLast(({ values }) => values[name] !== undefined)?.values[name]
    if (text !== undefined) known.set(field, text)
  }
  return known
}

const GIVEN = [
  ['cardRefId', 'cardRefId'],
  ['sendingCardRefId', 'cardRefId'],
  ['destinationCardRefId', 'cardRefId'],
  ['recurringPaymentId', 'recurringPaymentId'],
] as const

function Missing({ field, operation }: { readonly field: string; readonly operation: string }) {
  const first = FIRST[field] ?? ORDERS_OF[operation]?.[0]
  return (
    <Empty>
      <p>
        The {field} below is made up: this sandbox has not given one yet.
        {first !== undefined && (
          <>
            {' '}
            Send <a href={`#/explorer/${first}`}>{first}</a> first, and its id is filled in here.
          </>
        )}
      </p>
    </Empty>
  )
}
