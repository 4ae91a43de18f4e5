import { isCurlCommand, sentByCurlCommand } from './curl-command.ts'

/** A request taken apart into its lines. */
export interface RequestLines {
  /** Method and path, then the headers. */
  readonly head: readonly string[]
  /** The form, or an empty text if none is shown. */
  readonly body: string
}

/** What `curl --verbose` puts before each line that it sends. */
const SENT = /^> ?/

/** Takes apart a request as it goes over the wire, a curl command, or the whole output of `curl --verbose`. */
export function requestLines(text: string): RequestLines {
  if (isCurlCommand(text.trim())) return sentByCurlCommand(text.trim())
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
  return lines.some((line) => SENT.test(line)) ? sentByCurl(lines) : asOnTheWire(lines)
}

/** The body is the first block after the empty line: what follows it may be the reply. */
function asOnTheWire(lines: readonly string[]): RequestLines {
  const end = lines.indexOf('')
  if (end === -1) return { head: lines, body: '' }
  const rest = lines.slice(end).join('\n').trim()
  return { head: lines.slice(0, end), body: inOneLine(rest.split('\n\n', 1)) }
}

/**
 * curl says what it does before and after a request, and how far it got. It shows no body, so somebody has put it there: after the
 * headers, and before what the gateway answered. A line of a form has an equals sign, and those of curl have a mark.
 */
function sentByCurl(lines: readonly string[]): RequestLines {
  const head = lines.filter((line) => SENT.test(line)).map((line) => line.replace(SENT, ''))
  const afterHead = lines.slice(lines.findLastIndex((line) => SENT.test(line)) + 1)
  const answer = afterHead.findIndex((line) => line.startsWith('<'))
  const between = answer === -1 ? afterHead : afterHead.slice(0, answer)
  const body = between.filter((line) => line.includes('=') && !/^[*{}] /.test(line))
  return { head: head.filter((line) => line !== ''), body: inOneLine(body) }
}

/** A log or an editor may have broken a form into lines. It has no line breaks of its own: they are escaped. */
function inOneLine(lines: readonly string[]): string {
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => line.trim())
    .join('')
}
