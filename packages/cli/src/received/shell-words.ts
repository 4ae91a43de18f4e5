/** A word of a command for a POSIX shell: pieces between quotes and pieces without. */
const WORD = /(?:\$'(?:\\[\s\S]|[^'\\])*'|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|[^\s'"\\])+/g

const PIECE = /\$'((?:\\[\s\S]|[^'\\])*)'|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])|([^\s'"\\$]+|\$)/g

/** The words of a command as a shell takes them apart. Variables stay as they are written: nobody here knows them. */
export function shellWords(command: string): readonly string[] {
  const inOneLine = command.replaceAll(/\\\r?\n/g, ' ')
  return Array.from(inOneLine.matchAll(WORD), ([word]) => word.replaceAll(PIECE, unquoted))
}

function unquoted(_: string, ...[ansi, single, double, escaped, plain]: readonly (string | undefined)[]): string {
  if (ansi !== undefined) return ansi.replaceAll(/\\(?:u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi, fromAnsi)
  return single ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? escaped ?? plain ?? ''
}

const ANSI: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** As browsers write a command that they copy. */
function fromAnsi(_: string, ...[unicode, byte, sign = '']: readonly (string | undefined)[]): string {
  const code = unicode ?? byte
  return code === undefined ? (ANSI[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16))
}
