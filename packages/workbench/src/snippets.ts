import { quoted } from './curl.ts'
import type { Draft, DraftField, DraftSignature } from './draft.ts'

/** A draft as code that signs and sends it. Keys are variables of the environment. */

export const LANGUAGES = ['curl', 'TypeScript', 'PHP', 'Python'] as const
export type Language = (typeof LANGUAGES)[number]

export interface Snippet {
  readonly code: string
  /** What it needs besides the language. */
  readonly needs: string
}

/**
 * @param aheadSeconds by how much the gateway's clock is ahead of the machine's: OAuth requests are signed with its time
 */
export function snippetOf(
  language: Language,
  { signature, ...draft }: Draft,
  aheadSeconds: number,
): Snippet | undefined {
  if (signature === undefined) return undefined
  const ahead = Math.abs(aheadSeconds) < CLOSE_SECONDS ? 0 : Math.round(aheadSeconds)
  if (language === 'TypeScript') return typescript(draft, signature, ahead)
  const { byControl, byOAuth } = WRITERS[language]
  return signature.scheme === 'control' ? byControl(draft, signature) : byOAuth(draft, signature, ahead)
}

/** A gateway takes times of five minutes before and after its own. */
const CLOSE_SECONDS = 60

type Unsigned = Omit<Draft, 'signature'>
type Control = Extract<DraftSignature, { readonly scheme: 'control' }>
type OAuth = Exclude<DraftSignature, Control>

interface Writer {
  readonly byControl: (draft: Unsigned, signature: Control) => Snippet
  readonly byOAuth: (draft: Unsigned, signature: OAuth, ahead: number) => Snippet
}

const KEY = 'TALLYSTICK_CONTROL_KEY'
const KEY_FILE = 'TALLYSTICK_PRIVATE_KEY_FILE'
const ACCEPT = 'application/vnd.pay+json'
const ADVANCED = "the sandbox's clock was advanced"

/** What signs, in words. */
function keyWords({ scheme }: DraftSignature): string {
  return scheme === 'RSA-SHA256' ? `${KEY_FILE} names the file of the RSA key in PEM` : `${KEY} has the control key`
}

/** Each text of a control: the field that it is, or the text itself with its name. */
function termsOf({ fields }: Unsigned, { terms }: Control) {
  return terms.flatMap(({ term, text }) => {
    if (text === '') return []
    const same = fields.find(({ field, value }) => field === term && value === text)
    return [{ term, text, name: same?.name }]
  })
}

function orderOf({ terms }: Control): string {
  return [...terms.map(({ term }) => term), 'key'].join(', ')
}

/** As RFC 3986 encodes, in upper case. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

const curl: Writer = {
  byControl: (draft, signature) => {
    const texts = termsOf(draft, signature).map(({ text }) => quoted(text))
    const lines = draft.fields.map(({ name, value }) => `  --data-urlencode ${quoted(`${encode(name)}=${value}`)} \\`)
    return {
      needs: `A POSIX shell, curl and openssl. ${keyWords(signature)}.`,
      code: `# ${orderOf(signature)}: one after another, with nothing between them
control=$(printf %s ${texts.join(' ')} "$${KEY}" | openssl dgst -sha1 -r | cut -d' ' -f1)

curl ${quoted(draft.url)} \\
  -H 'Accept: ${ACCEPT}' \\
${lines.join('\n')}
  --data "control=$control"
`,
    }
  },
  byOAuth: ({ url, fields, login }, signature, ahead) => {
    const pairs = [
      ...fields.map(({ name, value }) => [encode(name), encode(value)] as const),
      ['oauth_consumer_key', encode(login)] as const,
      ['oauth_nonce', '"$nonce"'] as const,
      ['oauth_signature_method', signature.scheme] as const,
      ['oauth_timestamp', '"$timestamp"'] as const,
      ['oauth_version', '1.0'] as const,
    ].sort(([one, first], [other, second]) => compare(one, other) || compare(first, second))
    const isVariable = (value: string) => value.startsWith('"$')
    const joined = (border: string, equals: string, shown: (text: string) => string) =>
      pairs
        .map(([name, value]) => `${shown(name)}${equals}${isVariable(value) ? `'${value}'` : shown(value)}`)
        .join(border)
    const sign =
      signature.scheme === 'HMAC-SHA1'
        ? `openssl dgst -sha1 -hmac "$(encode "$${KEY}")&" -binary`
        : `openssl dgst -sha256 -sign "$${KEY_FILE}"`
    const protocol = [
      `oauth_consumer_key="${encode(login)}"`,
      'oauth_nonce="$nonce"',
      'oauth_signature="$(encode "$signature")"',
      `oauth_signature_method="${signature.scheme}"`,
      'oauth_timestamp="$timestamp"',
      'oauth_version="1.0"',
    ]
    const header = protocol.map((part) => part.replace('="', '=\\"').replace(/"$/, '\\"')).join(', ')
    return {
      needs: `A POSIX shell, curl and openssl. ${keyWords(signature)}.`,
      code: `encode() { # as RFC 3986 says
  printf %s "$1" | od -An -v -tu1 | awk '{ for (i = 1; i <= NF; i++) { byte = $i + 0; text = sprintf("%c", byte)
    if (byte < 128 && text ~ /[A-Za-z0-9._~-]/) printf "%s", text; else printf "%%%02X", byte } }'
}
nonce=$(openssl rand -hex 16)
timestamp=${ahead === 0 ? '$(date +%s)' : `$(($(date +%s) + ${ahead})) # ${ADVANCED}`}
# Every parameter, encoded and sorted.
parameters='${joined('&', '=', (text) => text)}'
base='POST&${encode(signature.url)}&${joined('%26', '%3D', encode)}'
signature=$(printf %s "$base" | ${sign} | openssl base64 -A)

curl ${quoted(url)} \\
  -H 'Accept: ${ACCEPT}' \\
  -H "Authorization: OAuth ${header}" \\
  --data "$parameters"
`,
    }
  },
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

function typescript(
  { operation, endpoint, login, baseUrl, brand, fields }: Unsigned,
  signature: DraftSignature,
  ahead: number,
): Snippet {
  const isRsa = signature.scheme === 'RSA-SHA256'
  const isLate = signature.scheme !== 'control' && ahead !== 0
  const hasBrand = Object.keys(brand).length > 0
  const known = fields.filter(({ field }) => field !== undefined && field !== 'login' && field !== 'endpoint')
  const others = fields.filter(({ field }) => field === undefined)
  const lines = known.map(({ field, value }) => `  ${field}: ${js(value)},`)
  if (others.length > 0) {
    lines.push('  extra: {', ...others.map(({ name, value }) => `    ${js(name)}: ${js(value)},`), '  },')
  }
  const shown = Object.entries(brand).map(([name, value]) => `, ${name}: ${JSON.stringify(value)}`)
  const options = [
    hasBrand ? `  profile: defineProfile({ baseUrl: ${js(baseUrl)}${shown.join('')} }),` : `  baseUrl: ${js(baseUrl)},`,
    `  login: ${js(login)},`,
    `  ${endpoint.isGroup ? 'endpointGroupId' : 'endpointId'}: ${js(endpoint.id)},`,
    `  controlKey: process.env['${KEY}'] ?? '',`,
    ...(isRsa ? [`  privateKey: readFileSync(process.env['${KEY_FILE}'] ?? '', 'utf8'),`] : []),
    ...(isLate
      ? ["  // The sandbox's clock was advanced.", `  clock: { now: () => Date.now() + ${ahead * 1000}, schedule },`]
      : []),
  ]
  const imports = [
    ...(isRsa ? ["import { readFileSync } from 'node:fs'"] : []),
    "import { createPaymentClient } from '@tallystick/client'",
    ...(hasBrand ? ["import { defineProfile } from '@tallystick/core'"] : []),
  ]
  const schedule = `
const schedule = (delayMs: number, task: () => void) => {
  const timer = setTimeout(task, delayMs)
  return () => clearTimeout(timer)
}
`
  return {
    needs: `The package @tallystick/client, which signs by itself. ${KEY} has the control key${isRsa ? `, ${KEY_FILE} names the file of the RSA key in PEM` : ''}.`,
    code: `${imports.join('\n')}
${isLate ? schedule : ''}
const client = createPaymentClient({
${options.join('\n')}
})

const result = await client.${operation}({
${lines.join('\n')}
})
console.log(result)
await client.close()
`,
  }
}

/** Between two apostrophes, as this project writes texts. */
function js(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const php: Writer = {
  byControl: (draft, signature) => {
    const terms = termsOf(draft, signature).map(({ text, name }) =>
      name === undefined ? phpText(text) : `$fields[${phpText(name)}]`,
    )
    return {
      needs: `PHP with its curl. ${keyWords(signature)}.`,
      code: `<?php
${phpFields(draft.fields)}
// ${orderOf(signature)}: one after another, with nothing between them
$fields['control'] = sha1(${[...terms, `getenv('${KEY}')`].join(' . ')});

$curl = curl_init(${phpText(draft.url)});
curl_setopt_array($curl, [
    CURLOPT_POSTFIELDS => http_build_query($fields, '', '&'),
    CURLOPT_HTTPHEADER => ['Accept: ${ACCEPT}'],
    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($curl);
`,
    }
  },
  byOAuth: ({ url, fields, login }, signature, ahead) => {
    const isHmac = signature.scheme === 'HMAC-SHA1'
    const sign = isHmac
      ? `$signature = hash_hmac('sha1', $base, rawurlencode(getenv('${KEY}')) . '&', true);`
      : `openssl_sign($base, $signature, file_get_contents(getenv('${KEY_FILE}')), OPENSSL_ALGO_SHA256);`
    return {
      needs: `PHP with its curl${isHmac ? '' : ' and openssl'}. ${keyWords(signature)}.`,
      code: `<?php
${phpFields(fields)}
$oauth = [
    'oauth_consumer_key' => ${phpText(login)},
    'oauth_nonce' => bin2hex(random_bytes(16)),
    'oauth_signature_method' => '${signature.scheme}',
    'oauth_timestamp' => ${ahead === 0 ? '(string) time(),' : `(string) (time() + ${ahead}), // ${ADVANCED}`}
    'oauth_version' => '1.0',
];
// Every parameter, sorted by its encoded name, and encoded as RFC 3986 says.
$pairs = $fields + $oauth;
uksort($pairs, fn ($one, $other) => strcmp(rawurlencode($one), rawurlencode($other)));
$parameters = http_build_query($pairs, '', '&', PHP_QUERY_RFC3986);
$base = 'POST&' . rawurlencode(${phpText(signature.url)}) . '&' . rawurlencode($parameters);
${sign}
$oauth['oauth_signature'] = base64_encode($signature);
$header = [];
foreach ($oauth as $name => $value) {
    $header[] = $name . '="' . rawurlencode($value) . '"';
}

$curl = curl_init(${phpText(url)});
curl_setopt_array($curl, [
    CURLOPT_POSTFIELDS => $parameters,
    CURLOPT_HTTPHEADER => ['Accept: ${ACCEPT}', 'Authorization: OAuth ' . implode(', ', $header)],
    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($curl);
`,
    }
  },
}

function phpFields(fields: readonly DraftField[]): string {
  return `$fields = [\n${fields.map(({ name, value }) => `    ${phpText(name)} => ${phpText(value)},`).join('\n')}\n];`
}

function phpText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

const python: Writer = {
  byControl: (draft, signature) => {
    const terms = termsOf(draft, signature).map(({ text, name }) =>
      name === undefined ? JSON.stringify(text) : `fields[${JSON.stringify(name)}]`,
    )
    return {
      needs: `Python's own library. ${keyWords(signature)}.`,
      code: `import hashlib
import os
import urllib.parse
import urllib.request

${pythonFields(draft.fields)}
# ${orderOf(signature)}: one after another, with nothing between them
text = ${[...terms, `os.environ["${KEY}"]`].join(' + ')}
fields["control"] = hashlib.sha1(text.encode()).hexdigest()

body = urllib.parse.urlencode(fields).encode()
request = urllib.request.Request(${JSON.stringify(draft.url)}, body, {"Accept": "${ACCEPT}"})
with urllib.request.urlopen(request) as reply:
    print(reply.read().decode())
`,
    }
  },
  byOAuth: ({ url, fields, login }, signature, ahead) => {
    const isHmac = signature.scheme === 'HMAC-SHA1'
    const sign = isHmac
      ? `key = encode(os.environ["${KEY}"]) + "&"
signature = hmac.new(key.encode(), base.encode(), "sha1").digest()`
      : `signature = subprocess.run(
    ["openssl", "dgst", "-sha256", "-sign", os.environ["${KEY_FILE}"]], input=base.encode(), capture_output=True, check=True
).stdout`
    return {
      needs: `Python's own library${isHmac ? '' : ', and the command openssl: the library has no RSA'}. ${keyWords(signature)}.`,
      code: `import base64
${isHmac ? 'import hmac\n' : ''}import os
import secrets
${isHmac ? '' : 'import subprocess\n'}import time
import urllib.parse
import urllib.request

${pythonFields(fields)}
oauth = {
    "oauth_consumer_key": ${JSON.stringify(login)},
    "oauth_nonce": secrets.token_hex(16),
    "oauth_signature_method": "${signature.scheme}",
    "oauth_timestamp": ${ahead === 0 ? 'str(int(time.time())),' : `str(int(time.time()) + ${ahead}),  # ${ADVANCED}`}
    "oauth_version": "1.0",
}

def encode(text):  # as RFC 3986 says
    return urllib.parse.quote(text, safe="")

# Every parameter, encoded and sorted.
pairs = sorted((encode(name), encode(value)) for name, value in {**fields, **oauth}.items())
parameters = "&".join(f"{name}={value}" for name, value in pairs)
base = "&".join(["POST", encode(${JSON.stringify(signature.url)}), encode(parameters)])
${sign}
oauth["oauth_signature"] = base64.b64encode(signature).decode()
header = "OAuth " + ", ".join(f'{name}="{encode(value)}"' for name, value in oauth.items())

headers = {"Accept": "${ACCEPT}", "Authorization": header}
request = urllib.request.Request(${JSON.stringify(url)}, parameters.encode(), headers)
with urllib.request.urlopen(request) as reply:
    print(reply.read().decode())
`,
    }
  },
}

/** What JSON writes is a text of Python too. */
function pythonFields(fields: readonly DraftField[]): string {
  return `fields = {\n${fields.map(({ name, value }) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`).join('\n')}\n}`
}

const WRITERS: Readonly<Record<Exclude<Language, 'TypeScript'>, Writer>> = { curl, PHP: php, Python: python }
