import type { RecordedDiagnosis } from '@tallystick/core'
import { difference, type Marked } from './difference.ts'
import { Facts, Raw } from './parts.tsx'
import { spanOf } from './times.ts'

/** What the doctor says of a signature that is refused. */
export function Diagnosis({ cause, advice, expected, received }: RecordedDiagnosis) {
  const [should, was] = difference(expected ?? '', received ?? '')
  const isPair = expected !== undefined && received !== undefined
  const apart = cause === 'clock-skew' ? Number(received) - Number(expected) : Number.NaN
  return (
    <>
      <Facts
        facts={[
          ['Cause', cause === undefined ? 'none that is known: most often it is the key' : <code>{cause}</code>],
          ['What to change', advice],
        ]}
      />
      {apart < 0 && <p>The sender's clock is {spanOf(-apart)} behind the gateway's.</p>}
      {apart > 0 && <p>The sender's clock is {spanOf(apart)} ahead of the gateway's.</p>}
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
      <p class="note">Keys, card numbers and CVVs are masked, without changing their lengths.</p>
    </>
  )
}

/** What is missing from a text is marked where it should be. */
function Differing({ parts: [before, different, after] }: { readonly parts: Marked }) {
  return (
    <>
      {before}
      <mark class={different === '' ? 'nothing' : undefined}>{different}</mark>
      {after}
    </>
  )
}
