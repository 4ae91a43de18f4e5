import { catalogue, type RequestInput } from '@tallystick/core'
import { checkOptions, type Validator, type Validators, validator } from '@tallystick/core/internal'
import type { HeaderValues } from '../callbacks/handler.ts'

/** What is known about a customer's browser. */
export interface BrowserSource {
  /** The headers of the request that the browser posted; names in any case. */
  readonly headers: HeaderValues
  /** The fields of the form, among them those that `BROWSER_SCRIPT` filled. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** The browser group of a payment, without the address of the customer. */
export type BrowserInfo = Omit<Pick<Sale, keyof Sale & `browser${string}`>, 'browserIp'>

type Sale = RequestInput<'sale'>

/** What only a script knows. */
const BY_SCRIPT = [
  'browserJavaEnabled',
  'browserColorDepth',
  'browserScreenWidth',
  'browserScreenHeight',
  'browserTimeZone',
] as const

/**
 * The browser group of a sale, preauth, transfer or verification: `client.sale({ ...input, ...browserInfo({ headers,
 * fields }) })`. Accept and User-Agent are from the request, never from the page. If a value of the page is wrong or missing,
 * the browser counts as one without script: the payment must not fail for it.
 *
 * @throws TypeError if either is no plain object
 */
export function browserInfo(source: BrowserSource): BrowserInfo {
  checkOptions('browserInfo', source, KINDS)
  const { headers, fields: given } = source
  // Fastify has `null` if there was no body.
  const fields = given ?? {}
  const facts = scriptFacts(fields)
  return {
    browserInfo: true,
    browserAcceptHeader: header(headers, 'accept').slice(0, LONGEST_HEADER) || '*/*',
    browserUserAgent: header(headers, 'user-agent').slice(0, LONGEST_HEADER) || 'unknown',
    browserLanguage: languageOf(fields, headers),
    browserJavascriptEnabled: facts !== undefined,
    ...facts,
  }
}

/** A `Headers` or `FormData` would look like a browser that said nothing. A body may be a list: any browser can send one. */
const KINDS: Validators<BrowserSource> = {
  headers: validator.required(plain('request.headers', validator.object.isRight)),
  fields: plain('form', () => true),
}

function plain(source: string, isRight: Validator['isRight']): Validator {
  return {
    wanted: `a plain object: Object.fromEntries(${source})`,
    isRight: (value) => isRight(value) && (Array.isArray(value) || !(Symbol.iterator in Object(value))),
  }
}

const LONGEST_HEADER = 2048

function scriptFacts(fields: Readonly<Record<string, unknown>>) {
  if (flagText(fields['browserJavascriptEnabled']) !== 'true') return undefined
  const depth = emvDepth(Number(fields['browserColorDepth']))
  const given = { ...fields, browserColorDepth: depth, browserJavaEnabled: flagText(fields['browserJavaEnabled']) }
  const facts = Object.fromEntries(BY_SCRIPT.map((name) => [name, textOf((given as typeof fields)[name])]))
  return BY_SCRIPT.every((name) => fits(name, facts[name])) ? facts : undefined
}

/** A page may post JSON, in which numbers and flags are no texts. */
function textOf(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value
}

const FLAGS: Readonly<Record<string, string>> = { true: 'true', '1': 'true', false: 'false', '0': 'false' }

/** A yes or no as programs write it: `true`, `'True'`, `1`. */
function flagText(value: unknown): unknown {
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
  return isPlain ? FLAGS[String(value).toLowerCase()] : undefined
}

function fits(name: (typeof BY_SCRIPT)[number], value: unknown): boolean {
  return typeof value === 'string' && catalogue.sale.request.fields[name].format.read(value) !== undefined
}

const DEPTHS = [48, 32, 24, 16, 15, 8, 4, 1]

/** EMV 3-D Secure knows a few depths; for another, such as 30, the next one below is sent. */
function emvDepth(depth: number): string | undefined {
  return DEPTHS.find((known) => known <= depth)?.toString()
}

/** The language of the page, else the first that the browser asked for. */
function languageOf(fields: Readonly<Record<string, unknown>>, headers: HeaderValues): string {
  const asked = header(headers, 'accept-language').split(/[,;]/, 1)[0]?.trim()
  return [fields['browserLanguage'], asked].find(isLanguage) ?? 'en'
}

function isLanguage(text: unknown): text is string {
  return typeof text === 'string' && /^[\dA-Za-z-]{1,35}$/.test(text)
}

function header(headers: HeaderValues, name: string): string {
  const [, value = ''] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : value.join(', ')
}

/**
 * A small script for the page of the payment: it puts what only a browser knows (EMV 3-D Secure) into hidden
 * fields of every form with the attribute `data-browser-info`. `browserInfo` reads them from the posted form.
 *
 * It needs no library and no other script; give it the nonce of your policy.
 */
// A browser may lack `javaEnabled`, or throw at it: the rest of the page's script must run all the same.
export const BROWSER_SCRIPT: string = `(()=>{const java=()=>{try{return navigator.javaEnabled()}catch{return false}}
const facts={browserJavascriptEnabled:true,browserJavaEnabled:java(),browserLanguage:navigator.language,browserColorDepth:screen.colorDepth,browserScreenWidth:screen.width,browserScreenHeight:screen.height,browserTimeZone:new Date().getTimezoneOffset()}
for(const form of document.querySelectorAll('form[data-browser-info]'))for(const[name,value]of Object.entries(facts)){const field=form.elements.namedItem(name)??form.appendChild(Object.assign(document.createElement('input'),{type:'hidden',name}));field.value=String(value)}})();`
