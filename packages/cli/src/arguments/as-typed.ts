/** Names of the library, as a reader of the command line knows them: options, or the interface's own words. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['allowPlainHttp', '--allow-plain-http'],
  ['baseUrl', '--base-url'],
  ['clientOrderId', 'client_orderid'],
  ['controlKey', 'control key'],
  ['endpointGroupId', '--group'],
  ['endpointId', '--endpoint'],
  ['login', '--login'],
  ['orderId', 'orderid'],
  ['privateKey', '--private-key-file'],
  ['proxy', '--proxy'],
])

/** `login` and `proxy` are words too. */
const NAME = /\b[a-z]+[A-Z]\w*|\b\w+\b(?= must\b|\))/g

/** What the library says, with the names that somebody at the command line has typed. */
export function asTyped(message: string): string {
  return message.replaceAll(NAME, (name) => NAMES.get(name) ?? name)
}
