import type { RecordedEvent } from '@tallystick/core'

export type EventOf<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: Type }>

/** The fields of a form as they were sent, decoded. */
export function fieldsOf(form: string | undefined): ReadonlyArray<readonly [name: string, value: string]> {
  return form === undefined ? [] : [...new URLSearchParams(form)]
}

/** The first of these that is in the form. */
export function field(form: string | undefined, ...names: readonly string[]): string | undefined {
  return fieldsOf(form).find(([name]) => names.includes(name))?.[1]
}
