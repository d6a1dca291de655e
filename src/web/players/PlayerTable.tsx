import type { Answer } from "../api/Wire.ts"
import { useProject } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import { valueText } from "../text/Values.ts"
import { Icon } from "../ui/Icon.tsx"
import { PlayerLink } from "./PlayerLink.tsx"
import type { PlayersQuestion, Sort } from "./PlayersQuestion.ts"
import { isAscending } from "./PlayersQuestion.ts"

interface Props {
  readonly items: Answer<"players.list">["items"]
  readonly question: PlayersQuestion
  readonly onSort: (sort: Sort) => void
}

const names: Readonly<Record<Sort, string>> = {
  unitId: "Player",
  lastSeen: "Last seen",
  firstSeen: "First seen",
  markerCount: "Markers"
}

/** One row a player; its headings order the list. */
export const PlayerTable = ({ items, question, onSort }: Props) => {
  const project = useProject()
  const { timezone } = project
  const heading = (sort: Sort) => {
    const direction = isAscending(question) ? "ascending" : "descending"
    return (
      <th
        scope="col"
        aria-sort={question.sort === sort ? direction : "none"}
        className={sort === "markerCount" ? "number" : undefined}
      >
        <button type="button" className="sort" onClick={() => onSort(sort)}>
          {names[sort]}
          {question.sort === sort && (
            <span className={direction === "ascending" ? "button-turned" : ""}>
              <Icon name="chevron" size={12} />
            </span>
          )}
        </button>
      </th>
    )
  }
  return (
    <div className="table-box" role="region" aria-label="Players" tabIndex={0}>
      <table className="table players">
        <thead>
          <tr>
            {heading("unitId")}
            {heading("lastSeen")}
            {heading("firstSeen")}
            {heading("markerCount")}
            {question.columns.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map(({ unitId, firstSeenAt, lastSeenAt, markerCount, profile }) => (
            <tr key={unitId}>
              <th scope="row">
                <PlayerLink unitId={unitId} title={unitId} />
              </th>
              <td>
                <time dateTime={lastSeenAt}>{bucketName(lastSeenAt, "hour", timezone)}</time>
              </td>
              <td>
                <time dateTime={firstSeenAt}>{bucketName(firstSeenAt, "hour", timezone)}</time>
              </td>
              <td className="number">{numberText(markerCount)}</td>
              {question.columns.map((name) => (
                <td key={name}>{valueText(profile[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
