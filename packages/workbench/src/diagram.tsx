/** A place of a diagram. */
export interface DiagramNode {
  readonly id: string
  /** Whether the way led here, and where it is now. */
  readonly mark?: 'passed' | 'now' | undefined
}

/** A way from one place to another. */
export interface DiagramEdge {
  readonly from: string
  readonly to: string
  readonly isTaken: boolean
  readonly label?: string | undefined
}

interface DiagramProps {
  /** What it shows, for whoever does not see it. */
  readonly title: string
  readonly nodes: readonly DiagramNode[]
  /** Without circles. */
  readonly edges: readonly DiagramEdge[]
}

const WIDTH = 344
const HEIGHT = 26
const ROW = 62
/** Of the text in a node. */
const CHARACTER = 6.9

/** A graph from top to bottom: what was taken is drawn firmly, what else there is faintly. */
export function Diagram({ title, nodes, edges }: DiagramProps) {
  const places = placesOf(nodes, edges)
  const depth = Math.max(...[...places.values()].map(({ layer }) => layer))
  return (
    <svg class="diagram" role="img" aria-label={title} viewBox={`0 0 ${WIDTH} ${depth * ROW + HEIGHT + 4}`}>
      {[...edges]
        .sort((one, other) => Number(one.isTaken) - Number(other.isTaken))
        .map((edge) => (
          <Edge key={`${edge.from} ${edge.to}`} edge={edge} places={places} />
        ))}
      {nodes.map(({ id, mark }) => {
        const { x, y, width } = placeOf(id, places)
        return (
          <g key={id} class={`node ${mark ?? ''}`}>
            <rect x={x - width / 2} y={y} width={width} height={HEIGHT} rx="6" />
            <text x={x} y={y + 17.5}>
              {id}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

interface Place {
  readonly layer: number
  /** Of its middle. */
  readonly x: number
  /** Of its top. */
  readonly y: number
  readonly width: number
}

type Places = ReadonlyMap<string, Place>

/** Each node is below all that lead to it. */
function placesOf(nodes: readonly DiagramNode[], edges: readonly DiagramEdge[]): Places {
  const layerOf = (id: string): number =>
    Math.max(0, ...edges.filter(({ to }) => to === id).map(({ from }) => layerOf(from) + 1))
  const layers = Map.groupBy(nodes, ({ id }) => layerOf(id))
  const placed = [...layers].flatMap(([layer, row]) =>
    row.map(({ id }, index) => {
      const x = (WIDTH * (index + 0.5)) / row.length
      return [id, { layer, x, y: layer * ROW + 2, width: id.length * CHARACTER + 18 }] as const
    }),
  )
  return new Map(placed)
}

function placeOf(id: string, places: Places): Place {
  return places.get(id) ?? { layer: 0, x: 0, y: 0, width: 0 }
}

function Edge({ edge: { from, to, isTaken, label }, places }: { readonly edge: DiagramEdge; readonly places: Places }) {
  const [start, end] = [placeOf(from, places), placeOf(to, places)]
  const layers = end.layer - start.layer
  const [top, bottom] = [start.y + HEIGHT, end.y - 5]
  // Past what lies between.
  const side = (end.x < start.x ? -1 : 1) * (layers - 1) * 30
  const bend = (bottom - top) / 2
  const curve = `M${start.x} ${top}C${start.x + side} ${top + bend} ${end.x + (start.x === end.x ? side : 0)} ${bottom - bend} ${end.x} ${bottom}`
  return (
    <g class={isTaken ? 'edge taken' : 'edge'}>
      <path d={curve} />
      <path class="head" d={`M${end.x - 4} ${bottom - 2}h8l-4 6z`} />
      {label !== undefined && (
        <text x={end.x} y={bottom - 7}>
          {label}
        </text>
      )}
    </g>
  )
}
