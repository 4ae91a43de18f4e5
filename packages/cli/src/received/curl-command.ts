import { UsageError } from '../usage-error.ts'
import type { RequestLines } from './request-lines.ts'
import { shellWords } from './shell-words.ts'

/** How a command begins that somebody copied, perhaps with the prompt before it. */
const CURL = /^(?:[$#>%] *)?curl(?:\.exe)?\s/

/** The options that say what is sent, by their long names. All others matter to nobody here. */
const SHORT: Readonly<Record<string, string>> = { d: 'data', H: 'header', X: 'request', F: 'form' }
const LONG = /^(data(?:-raw|-ascii|-binary|-urlencode)?|header|request|form|url|json)$/

type Option = readonly [name: string, value: string]

export function isCurlCommand(text: string): boolean {
  return CURL.test(text)
}

/** The request that a curl command sends. @throws UsageError if the command does not show it */
export function sentByCurlCommand(text: string): RequestLines {
  const { options, others } = sorted(shellWords(text.replace(CURL, '')))
  const valuesOf = (wanted: string) => options.flatMap(([name, value]) => (name === wanted ? value : []))
  if (options.some(([name]) => name === 'form' || name === 'json'))
    throw new UsageError('the curl command sends no form, such as client_orderid=7&amount=10.42')
  const body = options.flatMap(dataOf).join('&')
  // The values of other options are among the other words: an address of the interface is recognized by its path.
  const address = [...valuesOf('url'), ...others].find((word) => /\/api\/(?:3ds\/)?v\d\//.test(word))
  if (address === undefined) throw new UsageError('the curl command has no address with a part like /api/v2/')
  const url = /^https?:/i.test(address) ? address : `http://${address}`
  const method = valuesOf('request').at(-1) ?? (body === '' ? 'GET' : 'POST')
  return { head: [`${method} ${url}`, ...valuesOf('header')], body }
}

/** Nothing if it is in a file: then somebody has to give it. */
function dataOf([name, value]: Option): readonly string[] {
  if (!name.startsWith('data') || value.startsWith('@')) return []
  if (name !== 'data-urlencode') return [value]
  const begin = value.indexOf('=') + 1
  return [value.slice(0, begin) + encodeURIComponent(value.slice(begin))]
}

/** Takes the options from the words that say what is sent. */
function sorted(words: readonly string[]): { readonly options: readonly Option[]; readonly others: readonly string[] } {
  const options: Option[] = []
  const others: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [name, value] = optionIn(word)
    if (name === undefined) others.push(word)
    else options.push([name, value ?? words[++at] ?? ''])
  }
  return { options, others }
}

/** `--data`, `-d`, or `-sSd` after flags; short ones may have the value behind them. */
function optionIn(word: string): readonly [name?: string, value?: string] {
  const long = /^--([\w-]+)$/.exec(word)?.[1]
  if (long !== undefined) return LONG.test(long) ? [long] : []
  const [, letter = '', value = ''] = /^-[sSkvifgLN46#]*([dHXF])([\s\S]*)$/.exec(word) ?? []
  const name = SHORT[letter]
  if (name === undefined) return []
  return value === '' ? [name] : [name, value]
}
