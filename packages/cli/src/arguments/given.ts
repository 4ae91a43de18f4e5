import { UsageError } from '../usage-error.ts'

/** Hands what the caller gave to a function of the library, which refuses it with a TypeError. @throws UsageError that says why */
export function given<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(asTyped(error.message), { cause: error }) : error
  }
}

/** The function that refuses it, and its names for options of the command line. */
const FUNCTION = /^(?:createPaymentClient|undiciTransport): /
const NAMES: Readonly<Record<string, string>> = {
  allowPlainHttp: '--allow-plain-http',
  baseUrl: '--base-url',
  endpointGroupId: '--group',
  endpointId: '--endpoint',
  login: '--login',
  proxy: '--proxy',
}

function asTyped(message: string): string {
  return message.replace(FUNCTION, '').replaceAll(/\b\w+\b(?= must\b|\))/g, (name) => NAMES[name] ?? name)
}
