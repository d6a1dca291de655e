import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useState } from "react"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { place } from "../api/queries.ts"
import { countText, numberText, percentText } from "../text/Numbers.ts"
import { Icon } from "../ui/Icon.tsx"
import { loadable } from "../ui/Loadable.tsx"
import type { Cells, Grid, HeatmapAnswer } from "./Grid.ts"
import { areaOf, sumIn } from "./Grid.ts"
import type { HeatmapAsked } from "./HeatmapQueries.ts"
import { TopArguments } from "./TopArguments.tsx"

const Who = loadable(() => import("../who/Who.tsx").then((chunk) => ({ default: chunk.Who })))

/** One question about the map and its answer. A comparison has two. */
export interface Asked extends HeatmapAsked {
  readonly answer: HeatmapAnswer
  readonly grid: Grid
}

interface Props {
  readonly where: Where
  readonly sides: ReadonlyArray<Asked>
  readonly cells: Cells
  /** Whether the next step follows at once: only what is known already is told of each. */
  readonly isMoving: boolean
  readonly onClose: () => void
}

interface SideProps extends Pick<Props, "where" | "cells" | "isMoving"> {
  readonly asked: Asked
}

const Number = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Side = ({ where, asked, cells, isMoving }: SideProps) => {
  const { name, question, body, answer, grid } = asked
  const [isOpen, setOpen] = useState(false)
  const select = { area: areaOf(grid, cells) }
  const players = useQuery({
    queryKey: ["heatmap-players", where, body, select],
    enabled: !isMoving,
    queryFn: ({ signal }) =>
      call("queries.heatmapUsers", { ...place(where), query: { limit: 1 }, body: { ...body, select }, signal })
  })
  const total = players.data?.total
  const sum = sumIn(grid, cells)
  const title = `${total === undefined ? "Players" : countText(total, "player")} with ${question.marker} in the area${name === "" ? "" : ` · ${name}`}`
  return (
    <div>
      {name !== "" && <h3>{name}</h3>}
      <dl className="area-numbers">
        {question.counts === "markers" && (
          <>
            <Number name={`${question.marker} here`}>{numberText(sum)}</Number>
            <Number name="Of all on the map">
              {percentText(answer.statistics.insideBounds === 0 ? 0 : (100 * sum) / answer.statistics.insideBounds)}
            </Number>
          </>
        )}
        <Number name="Players">{players.error === null ? (total === undefined ? "…" : numberText(total)) : "–"}</Number>
      </dl>
      {players.error !== null && (
        <p className="form-error" role="alert">
          {players.error.message}
        </p>
      )}
      <button
        type="button"
        className="button"
        disabled={total === undefined || total === 0}
        onClick={() => setOpen(true)}
      >
        <Icon name="person" size={14} />
        Who are these players{name === "" ? "" : `: ${name}`}
      </button>
      {isOpen && (
        <Who
          where={where}
          number={{ queryType: "heatmap", spec: body, select }}
          title={title}
          valueName="Markers"
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

/** What is in the chosen area: how much, of how many players, and what their markers say. */
export const AreaCard = ({ where, sides, cells, isMoving, onClose }: Props) => {
  const [first] = sides
  if (first === undefined) return null
  const count = (cells.right - cells.left + 1) * (cells.bottom - cells.top + 1)
  return (
    <section className="card" aria-label="The chosen area">
      <header className="area-head">
        <h2>The chosen area</h2>
        <span className="faint">{countText(count, "cell")}</span>
        <button type="button" className="button button-icon button-quiet" aria-label="Choose no area" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      {sides.map((asked) => (
        <Side key={asked.name} where={where} asked={asked} cells={cells} isMoving={isMoving} />
      ))}
      {sides.length === 1 && !isMoving && (
        <TopArguments where={where} body={first.body} area={areaOf(first.grid, cells)} />
      )}
    </section>
  )
}
