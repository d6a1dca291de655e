import { useInfiniteQuery, useMutation } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { Where } from "../api/queries.ts"
import { csvOf } from "../../domain/analytics/table/Csv.ts"
import { download } from "../text/Download.ts"
import { countText } from "../text/Numbers.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Sheet } from "../ui/dialogs/Sheet.tsx"
import { ShowMore } from "../ui/Pages.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import { MakeCohort } from "./MakeCohort.tsx"
import type { ChartNumber } from "./Number.ts"
import { allPlayers, playersOf } from "./Number.ts"
import { PlayerTable } from "./PlayerTable.tsx"
import "../theme/who.css"

export interface WhoProps {
  readonly where: Where
  readonly number: ChartNumber
  /** The number in words, which is also the name that a cohort of these players is proposed. */
  readonly title: string
  /** What a player's own number is; null where there is none. */
  readonly valueName: string | null
  readonly onClose: () => void
  /** What chooses among the players of the same place. */
  readonly before?: ReactNode
  /** What else is known of these players. */
  readonly children?: ReactNode
}

const pageSize = 100

/** The players behind a number, whatever question it answers. */
export const Who = ({ where, number, title, valueName, onClose, before, children }: WhoProps) => {
  const players = useInfiniteQuery({
    queryKey: ["who", where, number],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => playersOf(where, number, { limit: pageSize, cursor: pageParam, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor
  })
  const saved = useMutation({
    mutationFn: async () => {
      const all = await allPlayers(where, number)
      const head = valueName === null ? ["player", "last at"] : ["player", valueName.toLowerCase(), "last at"]
      const rows = all.map(({ unitId, value, lastAt }) =>
        valueName === null ? [unitId, lastAt] : [unitId, value, lastAt]
      )
      download("players.csv", "text/csv", csvOf([head, ...rows]))
    }
  })
  const pages = players.data?.pages
  const items = pages?.flatMap((each) => each.items) ?? []
  const total = pages?.[0]?.total ?? null
  return (
    <Sheet title={title} onClose={onClose}>
      {before}
      {pages === undefined ? (
        players.error === null ? (
          <Skeleton />
        ) : (
          <Failed error={players.error} retry={() => void players.refetch()} />
        )
      ) : items.length === 0 ? (
        <p className="faint">Nobody.</p>
      ) : (
        <>
          <div className="who-head">
            <p>
              {total === null ? null : <b>{countText(total, "player")}</b>}
              <span className="unseen"> behind this number</span>
            </p>
            <Button
              type="button"
              className="button button-small"
              disabled={saved.isPending}
              onClick={() => saved.mutate()}
            >
              <Icon name="down" size={14} />
              CSV
            </Button>
          </div>
          {saved.error !== null && (
            <p className="form-error" role="alert">
              {saved.error.message}
            </p>
          )}
          <MakeCohort where={where} number={number} name={title} />
          {children}
          <PlayerTable players={items} valueName={valueName} />
          <ShowMore list={players} />
        </>
      )}
    </Sheet>
  )
}
