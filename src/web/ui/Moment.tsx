import { useProject } from "../shell/Project.tsx"
import { browserZone, clockText, momentText, zonedText } from "../text/Times.ts"

interface Props {
  /** The instant. */
  readonly at: string
  /** Whose time it is: things of a project happen in its zone, those of a person in the zone of their browser. */
  readonly of?: "project" | "person"
  /** Whether the day is left out, and seconds are told. */
  readonly isClock?: boolean
}

/** When something happened or will happen. Where the zone could be taken for another one, its name stands beside the time. */
export const Moment = ({ at, of = "project", isClock = false }: Props) => {
  const { timezone } = useProject()
  const zone = of === "project" ? timezone : browserZone()
  return (
    <time dateTime={at} title={`${momentText(at, zone)}, ${zone}`}>
      {zonedText(at, zone, timezone, isClock ? clockText : momentText)}
    </time>
  )
}
