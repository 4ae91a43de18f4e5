import { useMemo } from 'preact/hooks'
import { useWorkbench } from '../context.ts'
import { FindingsList } from '../order/findings-list.tsx'
import { Empty, Facts, Time } from '../parts.tsx'
import { errorsOf } from '../timeline.ts'

/** What went wrong, by cause and place. */
export function ErrorsPage() {
  const { feed } = useWorkbench()
  const groups = useMemo(() => errorsOf(feed.events), [feed.events])
  return (
    <>
      <h1>Errors</h1>
      <FindingsList most={20} />
      {groups.length === 0 && (
        <Empty>
          <p>Nothing was refused, and every callback that was sent was acknowledged.</p>
          <p>
            To see how your shop takes an error, pay with one of the <a href="#/set-up">cards and amounts</a> that stand
            for a fault.
          </p>
        </Empty>
      )}
      <ol class="cards">
        {groups.map(({ cause, advice, where, count, firstAt, lastAt, link }) => (
          <li key={`${cause} ${where}`}>
            <h2>
              <a href={link}>{cause}</a>
            </h2>
            {advice !== '' && <p>{advice}</p>}
            <Facts
              facts={[
                ['Where', where],
                ['How often', count],
                ['First', <Time at={firstAt} />],
                ['Last', <Time at={lastAt} />],
              ]}
            />
          </li>
        ))}
      </ol>
    </>
  )
}
