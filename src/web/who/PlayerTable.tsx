import { PlayerLink } from "../players/PlayerLink.tsx"
import { numberText } from "../text/Numbers.ts"
import { Moment } from "../ui/Moment.tsx"
import type { Player } from "./Number.ts"

interface Props {
  readonly players: ReadonlyArray<Player>
  /** What a player's own number is; null where there is none. */
  readonly valueName: string | null
}

/** Players, each with a way to its page. */
export const PlayerTable = ({ players, valueName }: Props) => (
  <div className="table-box" role="region" aria-label="Players" tabIndex={0}>
    <table className="table">
      <thead>
        <tr>
          <th scope="col">Player</th>
          {valueName !== null && (
            <th scope="col" className="number">
              {valueName}
            </th>
          )}
          <th scope="col">Last</th>
        </tr>
      </thead>
      <tbody>
        {players.map(({ unitId, value, lastAt }) => (
          <tr key={unitId}>
            <th scope="row">
              <PlayerLink unitId={unitId} />
            </th>
            {valueName !== null && <td className="number">{numberText(value)}</td>}
            <td>{lastAt === null ? "–" : <Moment at={lastAt} as="weekday" />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
