import type { Answer } from "../api/Wire.ts"
import { useMemo } from "react"
import { FunnelBars } from "../funnels/FunnelBars.tsx"
import { GroupBars } from "../funnels/GroupBars.tsx"
import { funnelGroups } from "../funnels/Groups.ts"
import "../theme/funnels.css"

interface Props {
  readonly answer: Answer<"queries.funnels">
  readonly label: string
  readonly onOpen: () => void
}

export const FunnelTile = ({ answer, label, onOpen }: Props) => {
  const groups = useMemo(() => funnelGroups(answer, [], new Map()), [answer])
  const steps = answer.series[0]?.steps
  if (steps === undefined || steps[0]?.count === 0) return <p className="tile-nothing">Nobody began in this time.</p>
  return groups.some(({ name }) => name !== "") ? (
    <div className="funnel-tile">
      <GroupBars label={label} groups={groups} onChoose={onOpen} />
      <ul className="tile-names" aria-label="Groups">
        {groups.map(({ key, name, color }) => (
          <li key={key}>
            <i className={`swatch series-${color ?? "other"}`} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  ) : (
    <div className="funnel-tile">
      <FunnelBars label={label} steps={steps} onWho={onOpen} />
    </div>
  )
}
