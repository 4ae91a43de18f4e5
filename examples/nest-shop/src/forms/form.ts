/** The body of a form; `null` or `undefined` if it was empty. */
export type Form = Readonly<Record<string, unknown>> | null | undefined

/** The value of a field; `undefined` if the form has no field of that name, or several. */
export function fieldOf(form: Form, name: string): string | undefined {
  const value = form?.[name]
  return typeof value === 'string' ? value : undefined
}
