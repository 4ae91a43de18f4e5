/**
 * The schemes to allow for an address, as sources of a Content-Security-Policy. Not its host: browsers apply the policy to
 * redirects of the answer too, which may lead to another host.
 *
 * @see {@link https://www.w3.org/TR/CSP3/#directive-form-action}
 */
export function anyHost(address: string): readonly string[] {
  return /^https:/i.test(address) ? ['https:'] : ['http:', 'https:']
}
