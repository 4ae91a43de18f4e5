/** As a shell reports a program that ended because nobody read its output: 128 and the number of SIGPIPE. */
const NOBODY_READS = 141

/** As `sysexits.h` numbers it (EX_IOERR): nobody takes it for a verdict. */
const CANNOT_WRITE = 74

/** All but the tab and the line feed. */
const CONTROL = /(?![\t\n])\p{Cc}/gu

/** What is printed quotes requests and replies of others, and a terminal would obey the signs in them. JSON stays what it is. */
function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Writes to the standard output or error. The command ends if that is impossible: what it found would be lost. */
export function write(stream: NodeJS.WriteStream, text: string): void {
  if (!stream.listeners('error').includes(end)) stream.on('error', end)
  stream.write(text.replaceAll(CONTROL, escaped))
}

/** Without a word if the reader has enough, such as `head`. */
function end({ code }: NodeJS.ErrnoException): never {
  if (code === 'EPIPE') process.exit(NOBODY_READS)
  process.stderr.write(`tallystick: the output cannot be written (${code})\n`)
  process.exit(CANNOT_WRITE)
}
