/** Where the documentation is published. */
const DOCUMENTATION = 'https://tallystick.github.io/tallystick'

/** The pages of `docs/errors` by their names, each with a heading for each of its codes. */
export type ErrorPage = 'client' | 'commands' | 'gateway' | 'journal' | 'payments' | 'signatures' | 'testing'

/** Where all of them begin. */
export const ERRORS_URL = `${DOCUMENTATION}/errors/`

/** The address of what the documentation says about a code. */
export function errorUrl(page: ErrorPage, code: string): string {
  return `${ERRORS_URL}${page}.html#${code.toLowerCase()}`
}
