import type { RecordedDiagnosis } from '@tallystick/core'
import { difference, type Marked } from './difference.ts'
import { Facts, Raw } from './parts.tsx'

/** What the doctor says of a signature that is refused. */
export function Diagnosis({ cause, advice, expected, received }: RecordedDiagnosis) {
  const [should, was] = difference(expected ?? '', received ?? '')
  const isPair = expected !== undefined && received !== undefined
  return (
    <>
      <Facts
        facts={[
          ['Cause', cause === undefined ? 'no single mistake explains it' : <code>{cause}</code>],
          ['What to change', advice],
        ]}
      />
      {received !== undefined && (
        <>
          <h3>Signed by the sender</h3>
          <Raw>{isPair ? <Differing parts={was} /> : received}</Raw>
        </>
      )}
      {expected !== undefined && (
        <>
          <h3>To be signed</h3>
          <Raw>{isPair ? <Differing parts={should} /> : expected}</Raw>
        </>
      )}
      <p class="note">Keys, card numbers and CVVs are masked in both, without changing their lengths.</p>
    </>
  )
}

/** What is missing from a text is marked where it should be. */
function Differing({ parts: [before, different, after] }: { readonly parts: Marked }) {
  return (
    <>
      {before}
      <mark>{different === '' ? '∅' : different}</mark>
      {after}
    </>
  )
}
