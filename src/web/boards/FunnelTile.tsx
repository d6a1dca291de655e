import type { Answer } from "../api/Wire.ts"
import { FunnelBars } from "../funnels/FunnelBars.tsx"
import "../theme/funnels.css"

interface Props {
  readonly answer: Answer<"queries.funnels">
  readonly label: string
  readonly onOpen: () => void
}

export const FunnelTile = ({ answer, label, onOpen }: Props) => {
  const steps = answer.series[0]?.steps
  return steps === undefined || steps[0]?.count === 0 ? (
    <p className="tile-nothing">Nobody began in this time.</p>
  ) : (
    <FunnelBars label={label} steps={steps} onWho={onOpen} />
  )
}
