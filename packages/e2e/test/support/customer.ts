/** The customer's browser, without script: it posts forms over the network, and stops where one leads to the shop. */

interface Form {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

export interface Customer {
  /** The origin of the shop, which no form is posted to. */
  readonly shop: string
  /** What the customer types or presses on the issuer's page. */
  readonly answer: Readonly<Record<string, string>>
}

/** Posts the form of a page, and those of the pages that follow, until one leads to the shop: that one. */
export async function walkToShop(page: string, formId: string | undefined, customer: Customer): Promise<Form> {
  let form = formOf(page, formId)
  for (let pages = 0; pages < 10; pages++) {
    if (new URL(form.action).origin === customer.shop) return form
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams({ ...form.fields }) })
    if (!answer.ok) throw new Error(`${form.action} answers ${answer.status}: ${await answer.text()}`)
    const next = await answer.text()
    form = formOf(next)
    if (next.includes('name="code"')) form = { ...form, fields: { ...form.fields, ...customer.answer } }
  }
  throw new Error('The pages go on for ever')
}

/** A form of a page as it would be sent: the one with the id, else the first. */
export function formOf(page: string, id?: string): Form {
  const forms = [...page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)]
  const found = id === undefined ? forms[0] : forms.find(([, attributes = '']) => attributes.includes(`id="${id}"`))
  if (found === undefined) throw new Error(`There is no form ${id ?? ''} on the page: ${page}`)
  const [, attributes = '', content = ''] = found
  const inputs = [...content.matchAll(/<input type="hidden"(?: id="\w+")? name="([^"]*)" value="([^"]*)">/g)]
  const fields = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]))
  return { action: unescaped(/action="([^"]*)"/.exec(attributes)?.[1] ?? ''), fields }
}

function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&', apos: "'" }
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })
}
