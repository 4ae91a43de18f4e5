import type { Requirement } from '../requirement.ts'

/** Part 5 of the specification: the control signature and OAuth. */
export const authentication: readonly Requirement[] = [
  {
    id: 'S5-01',
    part: '5',
    origin: 'stated',
    text: 'Two schemes exist. Which applies depends on the operation.',
  },
  {
    id: 'S5.1-01',
    part: '5.1',
    origin: 'stated',
    text:
      'The request carries a value named `control`, computed as SHA-1 over the concatenation, with no separators, ' +
      'of the fields listed in the Control column plus the merchant control key.',
  },
  {
    id: 'S5.1-02',
    part: '5.1',
    origin: 'stated',
    text:
      '`login` is the merchant login. `endpointId` is the path value. The control key is a shared secret that is ' +
      'never sent.',
  },
  {
    id: 'S5.1-03',
    part: '5.1',
    origin: 'stated',
    text: 'In the status formula the `orderid` term is an empty string when `orderid` is absent.',
  },
  {
    id: 'S5.1-04',
    part: '5.1',
    origin: 'stated',
    text:
      'The 3DS upload operations use `client-order-id` as the field name. The other operations use ' +
      '`client_orderid`.',
  },
  {
    id: 'S5.1-05',
    part: '5.1',
    origin: 'stated',
    text: 'Amounts inside the control string are in cents.',
  },
  {
    id: 'S5.2-01',
    part: '5.2',
    origin: 'stated',
    text: 'There is no token. The token secret is an empty string.',
  },
  {
    id: 'S5.2-02',
    part: '5.2',
    origin: 'stated',
    text:
      'Transport: the `Authorization` header with scheme `OAuth`. Its parameters are written as name="value", ' +
      'separated by a comma with an optional space.',
  },
  {
    id: 'S5.2-03',
    part: '5.2',
    origin: 'stated',
    text: 'The `realm` parameter is optional.',
  },
  {
    id: 'S5.2-04',
    part: '5.2',
    origin: 'stated',
    text: 'Content type: `application/x-www-form-urlencoded`.',
  },
  {
    id: 'S5.2-05',
    part: '5.2',
    origin: 'stated',
    text:
      'Parameters: `oauth_consumer_key` (the merchant login), `oauth_nonce`, `oauth_signature_method`, ' +
      '`oauth_timestamp`, `oauth_version`, `oauth_signature`.',
  },
  {
    id: 'S5.2-06',
    part: '5.2',
    origin: 'stated',
    text: '`oauth_nonce` (unique random).',
  },
  {
    id: 'S5.2-07',
    part: '5.2',
    origin: 'stated',
    text: '`oauth_timestamp` (current time in seconds).',
  },
  {
    id: 'S5.2-08',
    part: '5.2',
    origin: 'stated',
    text: '`oauth_version` (fixed at 1.0).',
  },
  {
    id: 'S5.2-09',
    part: '5.2',
    origin: 'stated',
    text: 'The `oauth_*` values in the header equal those included in the body.',
  },
  {
    id: 'S5.2-10',
    part: '5.2',
    origin: 'stated',
    text: '`oauth_signature` appears only in the header.',
  },
  {
    id: 'S5.2-11',
    part: '5.2',
    origin: 'stated',
    text: 'Percent-encoding per RFC 3986. Space is %20, and reserved characters are encoded.',
  },
  {
    id: 'S5.2-12',
    part: '5.2',
    origin: 'stated',
    text: 'The signature and nonce are percent-encoded separately before going into the header.',
  },
  {
    id: 'S5.2-13',
    part: '5.2',
    origin: 'stated',
    text: 'HMAC-SHA1 is used by v2 payout and pan-eligibility send.',
  },
  {
    id: 'S5.2-14',
    part: '5.2',
    origin: 'stated',
    text: 'HMAC-SHA1: the key is the merchant control key, then `&`, then an empty token secret. The result is Base64.',
  },
  {
    id: 'S5.2-15',
    part: '5.2',
    origin: 'stated',
    text: 'RSA-SHA256 is used by v4 operations.',
  },
  {
    id: 'S5.2-16',
    part: '5.2',
    origin: 'stated',
    text: 'RSA-SHA256: the key is a merchant RSA private key, at least 2048 bits in PEM.',
  },
  {
    id: 'S5.2-17',
    part: '5.2',
    origin: 'stated',
    text:
      "RSA-SHA256: the server verifies with the merchant's public key, which the merchant supplies to the operator " +
      'in advance.',
  },
  {
    id: 'S5.2-18',
    part: '5.2',
    origin: 'stated',
    text: 'RSA-SHA256: the result is Base64 of the binary signature.',
  },
  {
    id: 'S5.2-19',
    part: '5.2',
    origin: 'stated',
    text: 'Separate keys are advised for test and production.',
  },
  {
    id: 'S5.2-20',
    part: '5.2',
    origin: 'stated',
    text:
      'Base string, step 1: collect all body parameters and the `oauth_*` parameters, excluding `oauth_signature`. ' +
      'Query parameters also count.',
  },
  {
    id: 'S5.2-21',
    part: '5.2',
    origin: 'stated',
    text: 'Base string, step 2: percent-encode each name and value.',
  },
  {
    id: 'S5.2-22',
    part: '5.2',
    origin: 'stated',
    text: 'Base string, step 3: sort by parameter name in lexicographic order.',
  },
  {
    id: 'S5.2-23',
    part: '5.2',
    origin: 'stated',
    text: 'Base string, step 4: join as name=value pairs with `&`.',
  },
  {
    id: 'S5.2-24',
    part: '5.2',
    origin: 'stated',
    text:
      'Base string, step 5: build `METHOD&` + percent-encoded URL + `&` + percent-encoded parameter string (RFC ' +
      '5849 section 3.4.1). The URL is normalized without default ports.',
  },
  {
    id: 'S5.2-25',
    part: '5.2',
    origin: 'stated',
    text: 'Base string, step 6: sign with the method in `oauth_signature_method`.',
  },
  {
    id: 'S5.2-26',
    part: '5.2',
    origin: 'stated',
    text: 'A bad signature yields 403 Forbidden.',
  },
  {
    id: 'S5.2-27',
    part: '5.2',
    origin: 'stated',
    text:
      'A signed request to a v4 operation must be POST, carry OAuth 1.0a headers and be signed with RSA-SHA256. ' +
      'Other signature methods are restricted there by card-data security requirements.',
  },
]
