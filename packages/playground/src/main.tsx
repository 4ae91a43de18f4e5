import { render } from 'preact'
import { useState } from 'preact/hooks'
import { EXAMPLE, Explain, type Explaining } from './explain.tsx'
import { Sign } from './sign.tsx'

/** Shows the playground in an element. The result takes it away. */
export function mount(element: HTMLElement): () => void {
  element.replaceChildren()
  render(<Playground />, element)
  return () => render(null, element)
}

function Playground() {
  const [explaining, setExplaining] = useState<Explaining>(EXAMPLE)
  return (
    <>
      <Sign onExplain={(signed) => setExplaining({ ...EXAMPLE, ...signed })} />
      <Explain given={explaining} onChange={setExplaining} />
    </>
  )
}
