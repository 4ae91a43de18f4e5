import { unescaped } from './unescaped.ts'

/** A form of a page, as a browser would send it. */
export interface Form {
  readonly action: string
  readonly method: 'GET' | 'POST'
  /** The values of its fields before anything is typed. */
  readonly fields: ReadonlyMap<string, string>
  readonly buttons: readonly Button[]
}

export interface Button {
  readonly label: string
  readonly isDisabled: boolean
}

/** The forms of a page. Reads only pages of this repository, whose templates quote all attributes. */
export function formsOf(html: string): readonly Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, opening = '', content = '']) => {
    const { action = '', method = 'get' } = attributesOf(opening)
    return {
      action: unescaped(action),
      method: method.toLowerCase() === 'post' ? 'POST' : 'GET',
      fields: fieldsOf(content),
      buttons: buttonsOf(content),
    }
  })
}

function fieldsOf(content: string): ReadonlyMap<string, string> {
  const inputs = [...content.matchAll(/<input\b([^>]*)>/g)].map(([, attributes = '']) => attributesOf(attributes))
  const sent = inputs.filter(({ name, type, checked }) => {
    return name !== undefined && ((type !== 'radio' && type !== 'checkbox') || checked !== undefined)
  })
  return new Map(sent.map(({ name = '', value = '' }) => [unescaped(name), unescaped(value)]))
}

function buttonsOf(content: string): readonly Button[] {
  return [...content.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].map(([, attributes = '', inner = '']) => ({
    label: textOf(inner),
    isDisabled: 'disabled' in attributesOf(attributes),
  }))
}

function attributesOf(text: string): Readonly<Record<string, string | undefined>> {
  const found = [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name.toLowerCase(), value]))
}

/** The text that a reader sees. */
export function textOf(html: string): string {
  return unescaped(
    html
      .replace(/<(style|script|svg|head)\b.*?<\/\1>/gs, ' ')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}
