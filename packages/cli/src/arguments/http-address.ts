import { UsageError } from '../usage-error.ts'

/** An absolute address of http or https. @throws UsageError that names the option */
export function httpAddress(url: string, option: string, example: string): URL {
  if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url)
  throw new UsageError(`${option} takes an absolute address, such as ${example}`)
}
