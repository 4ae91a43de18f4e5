import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { messageOf, useWorkbench } from './context.ts'
import type { SentRequest } from './draft.ts'
import { OrderLink } from './parts.tsx'
import { answerOf, isBad } from './timeline.ts'

/** A field that can be changed before it is sent. */
export interface EditedField {
  readonly name: string
  /** In the client. */
  readonly field?: string | undefined
  readonly value: string
  readonly hint?: ComponentChildren
  readonly options?: readonly string[] | undefined
}

interface RequestFormProps {
  readonly operation: string
  readonly endpoint: string
  /** To choose from, if there are several. */
  readonly endpoints: readonly string[]
  readonly path: string
  readonly paths: readonly string[]
  readonly fields: readonly EditedField[]
  /** Shown when they are asked for. */
  readonly others?: readonly EditedField[]
  /** What the button says. */
  readonly children: ComponentChildren
}

/** A request to be changed, signed by the sandbox and sent; what is empty is left out. */
export function RequestForm({ operation, fields, others = [], children, ...where }: RequestFormProps) {
  const { sandbox } = useWorkbench()
  const [values, setValues] = useState(() => new Map([...fields, ...others].map(({ name, value }) => [name, value])))
  const [endpoint, setEndpoint] = useState(where.endpoint)
  const [path, setPath] = useState(where.path)
  const [added, setAdded] = useState({ name: '', value: '' })
  const [sent, setSent] = useState<SentRequest>()
  const [said, setSaid] = useState('')
  const set = (name: string, value: string) => setValues((known) => new Map(known).set(name, value))

  const send = async () => {
    setSent(undefined)
    setSaid('Sending')
    const filled = [...values, [added.name, added.value] as const].filter(
      ([name, value]) => name !== '' && value !== '',
    )
    const request = { operation, endpoint, path, fields: Object.fromEntries(filled) }
    try {
      setSent(await sandbox.ask<SentRequest>('POST', '/requests', request))
      setSaid('')
    } catch (error) {
      setSaid(messageOf(error))
    }
  }

  const isNewOrder = ![...fields, ...others].some(({ name, field }) => field === 'orderId' && values.get(name) !== '')
  const shown = ({ name, field, hint, options }: EditedField) => (
    <Field
      key={name}
      name={name}
      hint={hint}
      options={options}
      value={values.get(name) ?? ''}
      set={(value) => set(name, value)}
    >
      {field === 'clientOrderId' && isNewOrder && (
        <button type="button" onClick={() => set(name, newOrderId())}>
          New id
        </button>
      )}
    </Field>
  )
  return (
    <form
      class="request"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {where.endpoints.length > 1 && (
        <Choice label="Endpoint" value={endpoint} all={where.endpoints} set={setEndpoint} />
      )}
      {where.paths.length > 1 && <Choice label="Path" value={path} all={where.paths} set={setPath} />}
      <div class="fields">{fields.map(shown)}</div>
      {others.length > 0 && (
        <details>
          <summary>{others.length} more fields</summary>
          <div class="fields">{others.map(shown)}</div>
        </details>
      )}
      <details>
        <summary>A field that is not here</summary>
        <div class="controls">
          <label>
            Name
            <input value={added.name} onInput={(event) => setAdded({ ...added, name: event.currentTarget.value })} />
          </label>
          <label>
            Value
            <input value={added.value} onInput={(event) => setAdded({ ...added, value: event.currentTarget.value })} />
          </label>
        </div>
      </details>
      <div class="controls">
        <button type="submit">{children}</button>
        <div role="status" class="result">
          {said}
          {sent !== undefined && <Result sent={sent} />}
        </div>
      </div>
    </form>
  )
}

/** Between two letters: the border of an id in a control must not shift. */
function newOrderId(): string {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0'))
  return `t${digits.join('')}z`
}

interface FieldProps extends Pick<EditedField, 'name' | 'hint' | 'options' | 'value'> {
  readonly set: (value: string) => void
  readonly children: ComponentChildren
}

function Field({ name, hint, options, value, set, children }: FieldProps) {
  const id = `field-${name}`
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>
      </label>
      <span class="value">
        {options === undefined ? (
          <input
            id={id}
            value={value}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set(event.currentTarget.value)}
            {...described}
          />
        ) : (
          <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)} {...described}>
            {[...new Set(['', value, ...options])].map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </select>
        )}
        {children}
      </span>
      {hint !== undefined && (
        <p class="note" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly all: readonly string[]
  readonly set: (value: string) => void
}

function Choice({ label, value, all, set }: ChoiceProps) {
  return (
    <div class="controls">
      <label>
        {label}
        <select value={value} onChange={(event) => set(event.currentTarget.value)}>
          {all.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function Result({ sent: { request, reply: id, orderId, httpStatus, page } }: { readonly sent: SentRequest }) {
  const { feed } = useWorkbench()
  const reply = feed.events.findLast((event) => event.id === id)
  const isReply = reply?.type === 'reply'
  return (
    <>
      <span class={isReply && isBad(reply) ? 'bad' : 'good'}>
        {isReply ? answerOf(reply) : httpStatus === 0 ? 'no reply' : httpStatus}
      </span>
      {isReply && reply.refusal !== undefined && ` ${reply.refusal.reason}`}
      {request !== undefined && (
        <>
          {' '}
          <a href={`#/request/${request}`}>Request {request}</a>
        </>
      )}
      {orderId !== undefined && (
        <>
          {' '}
          <OrderLink orderId={orderId}>Order {orderId}</OrderLink>
        </>
      )}
      {page !== undefined && (
        <>
          {' '}
          <a href={page} target="_blank" rel="noreferrer">
            The customer's page
          </a>
        </>
      )}
    </>
  )
}
