import type { OAuthMethod, Operation, Profile } from '@tallystick/core'
import { type ControlAuth, oauthMethodOf } from '@tallystick/core/internal'
import type { OpenApiOperation, OpenApiProperty, OpenApiSchema, OpenApiSecurityScheme } from './document.ts'

/** What each scheme of authentication adds to an operation (interface part 5). */

/** The schema of the body's field that carries the control. */
const CONTROL_SCHEMA = 'Control'
/** The schema of the body's fields that repeat the OAuth header. */
const OAUTH_SCHEMA = 'OAuthParameters'

/** The schemas that {@link authenticationOf} refers to. */
export function authenticationSchemas(profile: Profile): Readonly<Record<string, OpenApiSchema>> {
  return { [CONTROL_SCHEMA]: control, ...(profile.oauthInBody ? { [OAUTH_SCHEMA]: oauthParameters } : {}) }
}

const control = parameters('The control signature (SHA-1).', 'stated, part 5.1; form filled in, part 7.1', {
  control: {
    description: 'SHA-1 over the terms of x-tallystick-control, joined without separators, in hexadecimal.',
    pattern: '^[0-9a-fA-F]{40}$',
  },
})

const oauthParameters = parameters('The OAuth values of the header, without the signature.', 'stated, part 5.2', {
  oauth_consumer_key: { description: "The merchant's login." },
  oauth_nonce: { description: 'Unique for the consumer key and the timestamp.' },
  oauth_signature_method: { description: 'As in the header.', enum: ['HMAC-SHA1', 'RSA-SHA256'] },
  oauth_timestamp: { description: 'The current time in seconds.', pattern: '^\\d+$' },
  oauth_version: { description: 'Fixed.', enum: ['1.0'] },
})

type Parameter = Pick<OpenApiProperty, 'description' | 'pattern' | 'enum'>

function parameters(description: string, origin: string, named: Readonly<Record<string, Parameter>>): OpenApiSchema {
  const properties = Object.entries(named).map(([name, parameter]): [string, OpenApiProperty] => [
    name,
    { type: 'string', ...parameter, 'x-tallystick-origin': origin },
  ])
  return {
    type: 'object',
    description,
    required: Object.keys(named),
    properties: Object.fromEntries(properties),
    'x-tallystick-origin': origin,
  }
}

const SCHEME_NAMES: Readonly<Record<OAuthMethod, string>> = {
  'HMAC-SHA1': 'oauthHmacSha1',
  'RSA-SHA256': 'oauthRsaSha256',
}

/** Two schemes, not one: the interface says which method an operation uses. */
export const securitySchemes: Readonly<Record<string, OpenApiSecurityScheme>> = {
  [SCHEME_NAMES['HMAC-SHA1']]: oauthScheme('HMAC-SHA1 with the merchant control key and an empty token secret.'),
  [SCHEME_NAMES['RSA-SHA256']]: oauthScheme("RSA-SHA256 with the merchant's private key of at least 2048 bits."),
}

function oauthScheme(method: string): OpenApiSecurityScheme {
  return {
    type: 'http',
    scheme: 'OAuth',
    description: `OAuth 1.0a without token, in the Authorization header. ${method}`,
  }
}

/** What differs between the schemes. */
interface AuthenticationParts {
  readonly security: OpenApiOperation['security']
  /** The component schema with the fields that the scheme adds to the body, if it adds any. */
  readonly bodySchema: string | undefined
  readonly extensions: Pick<OpenApiOperation, 'x-tallystick-control' | 'x-tallystick-auth-origin'>
  readonly sentence: string
}

export function authenticationOf(operation: Operation, profile: Profile): AuthenticationParts {
  const { auth } = operation
  const origin = { 'x-tallystick-auth-origin': auth.origin }
  if (auth.scheme === 'control') {
    const formula = controlFormula(operation, auth, profile)
    const sentence = `Signed by \`control\`: SHA-1 of ${formula}, amounts in cents.`
    return {
      security: [],
      bodySchema: CONTROL_SCHEMA,
      extensions: { 'x-tallystick-control': formula, ...origin },
      sentence,
    }
  }
  const method = oauthMethodOf(auth, profile)
  const bodySchema = profile.oauthInBody ? OAUTH_SCHEMA : undefined
  const sentence = `Signed by OAuth 1.0a with ${method}.`
  return { security: [{ [SCHEME_NAMES[method]]: [] }], bodySchema, extensions: origin, sentence }
}

/**
 * A control formula as the specification's Control column writes it (part 4), by wire names and with the key last:
 * `endpointId + client_orderid + amount + email + key`.
 */
export function controlFormula({ request }: Operation, auth: ControlAuth, profile?: Profile): string {
  const wireNames = new Map(request.spelling(profile?.wireNames).sent)
  const names = auth.terms.map((term) => (term === 'amountInCents' ? 'amount' : term))
  return [...names.map((name) => wireNames.get(name) ?? name), 'key'].join(' + ')
}
