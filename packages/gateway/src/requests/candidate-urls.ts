/** The names of this machine, which are one host and two texts to sign. */
const LOOPBACK = ['127.0.0.1', 'localhost']

/** What the signature doctor should try in place of the URL that a request was sent to: no port, and the other name of this machine. */
export function likelyUrls(url: string): readonly string[] {
  const { protocol, hostname, port, pathname, search } = new URL(url)
  const hosts = LOOPBACK.includes(hostname) ? LOOPBACK : [hostname]
  const ports = port === '' ? [''] : [`:${port}`, '']
  return hosts.flatMap((host) => ports.map((at) => `${protocol}//${host}${at}${pathname}${search}`))
}
