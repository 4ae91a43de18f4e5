import { useState } from 'preact/hooks'
import { type Loaded, useLoaded, useWorkbench } from '../context.ts'
import type { Draft } from '../draft.ts'
import { CopyButton, Empty, Raw } from '../parts.tsx'
import { RequestForm } from '../request-form.tsx'
import { LANGUAGES, snippetOf } from '../snippets.ts'

/** The recorded request put right. */
export function useDraft(id: number): Loaded<Draft> {
  const { sandbox } = useWorkbench()
  return useLoaded(() => sandbox.ask<Draft>('GET', `/requests/${id}`), [sandbox, id])
}

interface PutRightProps {
  readonly draft: Loaded<Draft>
  /** Whether its signature was refused. */
  readonly isRefused: boolean
}

/** Code that sends the same request, signed as it must be. */
export function SignRight({ draft: { value: draft, error }, isRefused }: PutRightProps) {
  const { feed } = useWorkbench()
  const [language, setLanguage] = useState<(typeof LANGUAGES)[number]>('curl')
  const snippet = draft && snippetOf(language, draft, feed.aheadMs / 1000)
  return (
    <section aria-labelledby="right">
      <h2 id="right">{isRefused ? 'Sign it right' : 'As code'}</h2>
      {error !== undefined && <NothingToSign error={error} />}
      {draft !== undefined && <Notes notes={draft.notes} />}
      {draft !== undefined && snippet === undefined && (
        <p>Put that right first: until then there is nothing to sign.</p>
      )}
      {snippet !== undefined && (
        <>
          <fieldset class="languages">
            <legend class="hidden">Language</legend>
            {LANGUAGES.map((each) => (
              <button key={each} type="button" aria-pressed={each === language} onClick={() => setLanguage(each)}>
                {each}
              </button>
            ))}
          </fieldset>
          <p class="note">{snippet.needs}</p>
          <Raw>{snippet.code}</Raw>
          <CopyButton key={language} text={snippet.code}>
            Copy the {language}
          </CopyButton>
        </>
      )}
    </section>
  )
}

function NothingToSign({ error }: { readonly error: string }) {
  return (
    <Empty>
      <p>Nothing of it can be signed: {error}.</p>
      <p>
        Look at the path that was asked for, or send an operation from the <a href="#/explorer">explorer</a>.
      </p>
    </Empty>
  )
}

function Notes({ notes }: Pick<Draft, 'notes'>) {
  if (notes.length === 0) return null
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}

/** The same request once more, changed or not. */
export function SendAgain({ draft: { value: draft } }: Pick<PutRightProps, 'draft'>) {
  if (draft === undefined) return null
  const { operation, endpoint, fields, url, baseUrl } = draft
  const path = url.slice(baseUrl.length).replace(/(?:\/group)?\/\d+$/, '')
  return (
    <section aria-labelledby="again">
      <h2 id="again">Send again</h2>
      <p>
        The sandbox signs what is here in the merchant's place, and sends it to itself. A field that is empty is left
        out; <a href={`#/explorer/${operation}`}>what each means</a>.
      </p>
      <RequestForm operation={operation} endpoint={endpoint.id} endpoints={[]} path={path} paths={[]} fields={fields}>
        Sign and send
      </RequestForm>
    </section>
  )
}
