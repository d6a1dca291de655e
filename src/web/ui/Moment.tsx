import { useProject } from "../shell/Project.tsx"
import { browserZone, clockText, hourText, momentText, zonedText } from "../text/Times.ts"

const texts = { minute: momentText, weekday: hourText, clock: clockText } as const

interface Props {
  /** The instant. */
  readonly at: string
  /** Whose time it is: things of a project happen in its zone, those of a person in the zone of their browser. */
  readonly of?: "project" | "person"
  /** How it is told: day and minute, the same with the day of the week and without the present year, or the second without the day. */
  readonly as?: keyof typeof texts
}

/** When something happened or will happen. Where the zone could be taken for another one, its name stands beside the time. */
export const Moment = ({ at, of = "project", as = "minute" }: Props) => {
  const { timezone } = useProject()
  const zone = of === "project" ? timezone : browserZone()
  return (
    <time dateTime={at} title={`${momentText(at, zone)}, ${zone}`}>
      {zonedText(at, zone, timezone, texts[as])}
    </time>
  )
}
