/** The form that a browser posts next. */
export interface BrowserForm {
  /** The address of the shop, the gateway or the issuer. */
  readonly to: string
  /** The hidden fields, by their names. */
  readonly fields: Readonly<Record<string, string>>
}

/** A form of a page, with the names of the fields into which a customer types. */
export interface PageForm extends BrowserForm {
  readonly asks: ReadonlySet<string>
}

// Linear: a page of the gateway holds a few forms, and each of them ends.
const FORM = /<form [^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs

/**
 * The form of a page that its button sends: the last one, after that of the 3DS method's frame, which only a script sends.
 * Reads only pages of the gateway, whose templates quote all attributes.
 */
export function formOf(page: string): PageForm | undefined {
  const [form, to = '', content = ''] = [...page.matchAll(FORM)].at(-1) ?? []
  if (form === undefined) return undefined
  const hidden = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const typed = [...content.matchAll(/<input id="[^"]*" name="([^"]*)"/g)]
  return {
    to: textOf(to),
    fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [textOf(name), textOf(value)])),
    asks: new Set(typed.map(([, name = '']) => name)),
  }
}

/** Whether the simulated issuer asks, or asks once more. */
export function asksForCode(form: PageForm | undefined): boolean {
  return form?.asks.has('code') === true
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Undoes the escaping of a template. */
export function textOf(escaped: string): string {
  return escaped.replace(/&(\w+|#\d+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
