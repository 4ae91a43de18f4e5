import { hash } from 'node:crypto'
import { controlText } from '../control/control-text.ts'
import { verifyControl } from '../control/verify-control.ts'
import { type ControlEvidence, type Piece, piecesOf } from './control-evidence.ts'
import { type ControlCause, type ControlTry, controlTries } from './control-mistakes.ts'
import { type Explanation, explained, type Finding } from './explanation.ts'
import { maskSensitive } from './mask-sensitive.ts'
import { differingPart } from './side-by-side.ts'

/** Hashes and encodings that senders use instead of SHA-1 in hexadecimal digits. */
const OTHER_HASHES = [
  ['md5', 'hex'],
  ['sha224', 'hex'],
  ['sha256', 'hex'],
  ['sha512', 'hex'],
  ['sha1', 'base64'],
  ['sha256', 'base64'],
] as const

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

function findHash({ control }: ControlEvidence, right: string): ControlFinding | undefined {
  const found = OTHER_HASHES.find(([name, encoding]) => hash(name, right, encoding) === control)
  if (found === undefined) return undefined
  return { cause: 'wrong-hash', advice: 'the control is SHA-1 in 40 hexadecimal digits', received: undefined }
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
