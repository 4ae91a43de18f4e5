/** What a form has sent; nothing when it was empty. */
export type Form = Readonly<Record<string, unknown>> | null | undefined

/** What stands in a field; `undefined` when the form has none of that name, or several. */
export function fieldOf(form: Form, name: string): string | undefined {
  const value = form?.[name]
  return typeof value === 'string' ? value : undefined
}
