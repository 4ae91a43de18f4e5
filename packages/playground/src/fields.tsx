import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** Lines of the text. Absent: it has one line. */
  readonly rows?: number
  readonly note?: ComponentChildren
}

/** A text to type, which no browser should remember, correct or complete. */
export function Field({ label, value, onInput, rows, note }: FieldProps) {
  const id = useId()
  const props = {
    id,
    value,
    autocomplete: 'off',
    spellcheck: false,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onInput(currentTarget.value),
    ...(note !== undefined && { 'aria-describedby': `${id}-note` }),
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows === undefined ? <input type="text" {...props} /> : <textarea rows={rows} {...props} />}
      {note !== undefined && (
        <p class="note" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}

/** The command names its options, the page its fields. */
const LABELS: ReadonlyArray<readonly [option: string, label: string]> = [
  ['--url and --body', '“What was sent” as a curl command'],
  ['--authorization', '“What was sent”'],
  ['--body', '“What was sent”'],
  ['--base-url', '“Address of the gateway”'],
  ['--other-key-file', '“Other keys”'],
  ['--signed-text', '“Text that the sender signed”'],
  ['--login', '“Login”'],
  ['--endpoint', '“Id of the endpoint”'],
  ['--group', '“Id of the endpoint”'],
]

/** What a command says, in the words of the page. */
export function onPage(words: string): string {
  return LABELS.reduce((text, [option, label]) => text.replaceAll(option, label), words)
}

/** What to say of a failure: of what was typed, in the words of the page. */
export function failureOf(error: unknown): string {
  return onPage(error instanceof Error ? error.message : String(error))
}
