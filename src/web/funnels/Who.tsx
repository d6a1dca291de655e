import { useInfiniteQuery } from "@tanstack/react-query"
import type { BodyOf } from "../api/Endpoints.ts"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { csvOf } from "../text/Csv.ts"
import { download } from "../text/Download.ts"
import { bucketName } from "../text/Times.ts"
import { Icon } from "../ui/Icon.tsx"
import { Sheet } from "../ui/Sheet.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"

export interface Chosen {
  /** Counted from 0. */
  readonly step: number
  readonly outcome: "converted" | "dropped"
}

interface Props {
  readonly where: Where
  readonly body: BodyOf<"queries.funnels">
  readonly chosen: Chosen
  readonly title: string
  readonly timezone: string
  readonly onClose: () => void
}

const page = 100

/** The players behind a number of a funnel. */
export const Who = ({ where, body, chosen, title, timezone, onClose }: Props) => {
  const players = useInfiniteQuery({
    queryKey: ["who", where, body, chosen],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      call("queries.funnelUsers", {
        path: { applicationId: where.applicationId },
        environment: where.environmentId,
        query: { limit: page, cursor: pageParam },
        body: { ...body, ...chosen },
        signal
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor
  })
  const items = players.data?.pages.flatMap((each) => each.items) ?? []
  const lastOf = (times: ReadonlyArray<string | null>) => times.findLast((time) => time !== null) ?? null
  const save = () =>
    download(
      "players.csv",
      "text/csv",
      csvOf([["player", "last step at"], ...items.map(({ unitId, times }) => [unitId, lastOf(times)])])
    )
  return (
    <Sheet title={title} onClose={onClose}>
      {players.data === undefined ? (
        players.error === null ? (
          <Skeleton />
        ) : (
          <Failed error={players.error} retry={() => void players.refetch()} />
        )
      ) : (
        <>
          <div className="row">
            <button type="button" className="button button-small" onClick={save}>
              <Icon name="down" size={14} />
              CSV of these {items.length}
            </button>
          </div>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Player</th>
                <th scope="col">Last step at</th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ unitId, times }) => {
                const last = lastOf(times)
                return (
                  <tr key={unitId}>
                    <th scope="row">{unitId}</th>
                    <td>{last === null ? "–" : bucketName(last, "hour", timezone)}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
          {items.length === 0 && <p className="faint">Nobody.</p>}
          {players.hasNextPage && (
            <button
              type="button"
              className="button"
              disabled={players.isFetchingNextPage}
              onClick={() => void players.fetchNextPage()}
            >
              Show more
            </button>
          )}
        </>
      )}
    </Sheet>
  )
}
