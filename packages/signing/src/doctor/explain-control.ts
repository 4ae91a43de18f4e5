import { createHmac, hash } from 'node:crypto'
import { controlText, verifyControl } from '../control/control.ts'
import { type ControlEvidence, type Piece, piecesOf } from './control-evidence.ts'
import { type ControlCause, type ControlTry, controlTries } from './control-mistakes.ts'
import { differingPart, type Explanation, explained, type Finding, maskSensitive } from './explanation.ts'

/** Whole bytes, and nothing after them. */
const HEX = /^(?:[0-9a-f]{2})*$/i
/** What senders use instead of SHA-1 in hexadecimal digits; each hash also as an HMAC. */
const HASHES = ['sha1', 'md5', 'sha224', 'sha256', 'sha384', 'sha512']

/**
 * Names the mistake behind a refused control, as `explainOAuth` does behind a refused signature.
 *
 * A wrong key can only be named if it is among `otherKeys`, or if the sender's own text is given.
 *
 * @throws {SigningError} `BAD_KEY` when the key is empty.
 * @see Specification part 5.1; the mistakes are those of gaps parts 7.1 and 11
 */
export function explainControl(evidence: ControlEvidence): Explanation<ControlCause> {
  const pieces = piecesOf(evidence)
  const terms = pieces.slice(0, -1).map(({ text }) => text)
  const text = controlText({ terms, key: evidence.key })
  if (verifyControl({ terms, key: evidence.key, control: evidence.control }).ok)
    return { explained: false, right: true }
  const secrets = [evidence.key, ...(evidence.otherKeys ?? [])]
  const finding = findTry(evidence) ?? findHash(evidence, text) ?? findText(evidence, text)
  if (finding === undefined) return { explained: false, right: false, expected: maskSensitive(shown(pieces), secrets) }
  return explained({ ...finding, expected: shown(pieces) }, secrets)
}

type ControlFinding = Omit<Finding<ControlCause>, 'expected'>

function findTry(evidence: ControlEvidence): ControlFinding | undefined {
  const control = evidence.control.toLowerCase()
  for (const { cause, advice, pieces } of controlTries(evidence)) {
    if (hash('sha1', joined(pieces), 'hex') === control) return { cause, advice, received: shown(pieces) }
  }
  return undefined
}

function findHash({ control, key }: ControlEvidence, right: string): ControlFinding | undefined {
  // A plus of base64 arrives as a space if the form was not encoded.
  const received = [
    ['hex', Buffer.from(HEX.test(control) ? control : '', 'hex')],
    ['base64', Buffer.from(control.replaceAll(' ', '+'), 'base64')],
  ] as const
  const encodingOf = (digest: Uint8Array) => received.find(([, bytes]) => bytes.equals(digest))?.[0]
  for (const name of HASHES) {
    const encoding = encodingOf(hash(name, right, 'buffer'))
    if (encoding !== undefined) {
      const advice = `the control is SHA-1 in 40 hexadecimal digits, not ${name} in ${encoding}`
      return { cause: 'wrong-hash', advice, received: undefined }
    }
    const macs = [right.slice(0, -key.length), right].map((text) => createHmac(name, key).update(text).digest())
    if (macs.some(encodingOf)) {
      const advice = 'the control is the plain SHA-1 of the terms and the key, not an HMAC with the key'
      return { cause: 'hmac-for-hash', advice, received: undefined }
    }
  }
  return undefined
}

/** If the control is that of the sender's own text, no try explains it, but the place of the difference is known. */
function findText({ theirText, control, key }: ControlEvidence, right: string): ControlFinding | undefined {
  if (theirText === undefined || hash('sha1', theirText, 'hex') !== control.toLowerCase()) return undefined
  const rightTerms = right.slice(0, -key.length)
  if (theirText.startsWith(rightTerms) && !theirText.endsWith(key)) {
    const advice = 'the terms are right and the key is not: configure the control key of this merchant'
    return { cause: 'wrong-key', advice, received: `${rightTerms}[another key]` }
  }
  const advice = 'the text that was signed is not the one of the formula: compare both at the marked part'
  return { cause: 'different-text', advice, received: withoutKey(theirText, key, right) }
}

/** A text that ends with our key is shown without it; in any other, what follows the first difference may be a key. */
function withoutKey(text: string, key: string, right: string): string {
  if (text.endsWith(key)) return `${text.slice(0, -key.length)}[key]`
  return `${text.slice(0, differingPart(right, text)?.start)}[what follows may hold a key]`
}

function joined(pieces: ControlTry['pieces']): string {
  return pieces.map(({ text }) => text).join('')
}

function shown(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.shown ?? piece.text).join('')
}
