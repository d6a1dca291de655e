import { countText, numberText } from "../text/Numbers.ts"
import { Callout } from "../ui/States.tsx"
import { stepName } from "./Groups.ts"

interface Props {
  readonly steps: ReadonlyArray<{ readonly name: Parameters<typeof stepName>[0]; readonly count: number }>
}

/** The step before which most players are lost, counted from 0; null where none is. */
const worstStep = (steps: Props["steps"]): number | null => {
  const lost = steps.map(({ count }, index) => (index === 0 ? 0 : (steps[index - 1]?.count ?? 0) - count))
  const most = Math.max(...lost)
  return most > 0 ? lost.indexOf(most) : null
}

/** Where most players are lost. */
export const Lost = ({ steps }: Props) => {
  const worst = worstStep(steps)
  const before = worst === null ? undefined : steps[worst - 1]
  const after = worst === null ? undefined : steps[worst]
  return before === undefined || after === undefined ? null : (
    <Callout>
      Most players are lost between <b>{stepName(before.name)}</b> and <b>{stepName(after.name)}</b>:{" "}
      {numberText(before.count - after.count)} of {countText(before.count, "player")}.
    </Callout>
  )
}
