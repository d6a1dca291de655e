import { useMemo } from "react"
import { stepFor } from "../builder/Period.ts"
import { isolated, toggled } from "../charts/Hidden.ts"
import { countText, durationText } from "../text/Numbers.ts"
import { Empty } from "../ui/States.tsx"
import { FunnelBars } from "./FunnelBars.tsx"
import { FunnelOverTime } from "./FunnelOverTime.tsx"
import type { FunnelQuestion } from "./FunnelQuestion.ts"
import { betweenIn } from "./FunnelQuestion.ts"
import { GroupBars } from "./GroupBars.tsx"
import { GroupTable } from "./GroupTable.tsx"
import type { FunnelAnswer as Answer, FunnelGroup, Selected } from "./Groups.ts"
import { funnelGroups, together } from "./Groups.ts"
import { Lost } from "./Lost.tsx"
import { TimesToConvert } from "./TimesToConvert.tsx"

interface Props {
  readonly answer: Answer
  readonly question: FunnelQuestion
  /** The looks that groups have had on the page. */
  readonly colors: Map<string, number>
  readonly sentence: string
  readonly timezone: string
  readonly onChange: (part: Partial<FunnelQuestion>, options?: { readonly replace: boolean }) => void
  /** A number was chosen, which the title says in words. */
  readonly onWho: (select: Selected, title: string) => void
}

/** The answer to a question of funnels, in the shape that the question names. */
export const FunnelAnswer = ({ answer, question, colors, sentence, timezone, onChange, onWho }: Props) => {
  const { by, display, hidden } = question
  const groups = useMemo(() => funnelGroups(answer, hidden, colors), [answer, colors, hidden])
  const steps = groups[0]?.series.steps
  const legend = {
    onToggle: (key: string) => onChange({ hidden: toggled(hidden, key) }, { replace: true }),
    onIsolate: (key: string) =>
      onChange(
        {
          hidden: isolated(
            hidden,
            groups.map((group) => group.key),
            key
          )
        },
        { replace: true }
      )
  }
  const nameOf = (step: number): string => question.steps[step]?.marker ?? ""
  const ending = (group: FunnelGroup): string => (by === null ? "" : ` · ${group.name}`)
  const who = (group: FunnelGroup, step: number, outcome: "converted" | "dropped") => {
    const reached = group.series.steps[step]?.count ?? 0
    const count = outcome === "converted" ? reached : (group.series.steps[step - 1]?.count ?? 0) - reached
    const words = outcome === "converted" ? "reached" : "left before"
    onWho(
      { step, outcome, breakdown: group.breakdown },
      `${countText(count, "player")} ${words} ${nameOf(step)}${ending(group)}`
    )
  }
  if (steps === undefined || together(groups)[0]?.count === 0) {
    return (
      <Empty title={`Nobody did ${nameOf(0)} in this time`}>
        {answer.meta.warnings?.at(0)?.message ?? "Try a longer period or fewer filters."}
      </Empty>
    )
  }
  if (display === "time") {
    return (
      <FunnelOverTime
        label={`${sentence}: share of players who pass all steps`}
        groups={groups}
        isBrokenDown={by !== null}
        step={stepFor(question.period)}
        timezone={timezone}
        {...legend}
      />
    )
  }
  if (display === "convert") {
    const [from, to] = betweenIn(question)
    const way = `from ${nameOf(from)} to ${nameOf(to)}`
    return (
      <TimesToConvert
        label={`time ${way}`}
        steps={question.steps.map(({ marker }) => marker)}
        between={[from, to]}
        groups={groups}
        head={by?.name ?? null}
        onBetween={(between) => onChange({ between })}
        onBin={(group, bin) => {
          const { count = 0, fromSeconds = 0, toSeconds = 0 } = group.series.timeToConvert?.bins[bin] ?? {}
          const time = `${durationText(fromSeconds)} to ${durationText(toSeconds)}`
          onWho(
            { step: to, outcome: "converted", breakdown: group.breakdown, bin },
            `${countText(count, "player")} took ${time} ${way}${ending(group)}`
          )
        }}
        {...legend}
      />
    )
  }
  if (by === null) {
    return (
      <FunnelBars
        label={sentence}
        steps={steps}
        onWho={(step, outcome) => {
          const [group] = groups
          if (group !== undefined) who(group, step, outcome)
        }}
      />
    )
  }
  return (
    <>
      <Lost steps={together(groups)} />
      <GroupBars label={sentence} groups={groups} onChoose={(group, step) => who(group, step, "converted")} />
      <GroupTable groups={groups} head={by.name} onWho={who} {...legend} />
    </>
  )
}
