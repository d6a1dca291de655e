import { useState } from "react"
import { useProject } from "../../shell/Project.tsx"
import { countText } from "../../text/Numbers.ts"
import { lacking } from "../ExperimentWords.ts"
import { refusalWords } from "../setup/useExperimentWrites.ts"
import { isCondition, lackOf } from "./PlanBody.ts"
import type { PlanDraft } from "./PlanDraft.ts"
import type { PlanProblems } from "./PlanProblems.ts"
import { countProblems, draftProblems } from "./PlanProblems.ts"
import { DeniableButton } from "../../ui/DeniableButton.tsx"

interface Props {
  readonly label: string
  readonly draft: PlanDraft
  readonly problems: PlanProblems
  readonly isTried: boolean
  readonly error: Error | null
  readonly isBusy: boolean
  /** Whether the server has the plan as it is here; null where it has none. */
  readonly saved: boolean | null
  readonly onTry: () => void
  readonly onSave: () => void
  readonly onStart: () => void
}

/** Goals and conditions that are begun and cannot be sent yet. */
const unfinishedOf = ({ metrics, conditions }: PlanDraft): number =>
  metrics.filter((metric) => (metric.marker !== "" || metric.name !== "") && lackOf(metric) !== null).length +
  conditions.filter((condition) => condition.property.trim() !== "" && !isCondition(condition)).length

const startWords = ({ startDay }: PlanDraft, environment: string, saved: boolean | null): string => {
  const made = saved === null ? "made" : "started"
  return startDay === ""
    ? `It starts in ${environment} as soon as it is ${made}.`
    : `It starts in ${environment} on ${startDay}.`
}

/** Saves a plan as a draft, which may be unfinished, or starts it, which it may not. */
export const PlanBar = (props: Props) => {
  const { label, draft, problems, isTried, error, isBusy, saved, onTry, onSave, onStart } = props
  const { environment, may } = useProject()
  const [asked, ask] = useState<"save" | "start">("start")
  const isAllowed = may("experiments:write")
  const count = asked === "start" ? countProblems(problems) : draftProblems(problems, draft)
  const unfinished = unfinishedOf(draft)
  const denied = isAllowed ? null : lacking
  const attempt = (wanted: "save" | "start") => {
    ask(wanted)
    onTry()
    if (!isAllowed) return
    if (wanted === "start" && countProblems(problems) === 0) onStart()
    if (wanted === "save" && draftProblems(problems, draft) === 0) onSave()
  }
  return (
    <div className="draft-bar" role="region" aria-label={label}>
      <span role="status">
        {error !== null ? (
          <span className="form-error">{refusalWords(error)}</span>
        ) : isTried && count > 0 ? (
          <span className="form-error">
            {asked === "save"
              ? "A draft needs a name, a configuration, named groups and shares that are numbers. "
              : ""}
            {count === 1 ? "One thing is" : `${count} things are`} not right yet; see above.
          </span>
        ) : saved === true ? (
          `Saved. ${startWords(draft, environment.name, saved)}`
        ) : unfinished > 0 ? (
          `${countText(unfinished, "goal or condition", "goals or conditions")} unfinished: a draft leaves that out.`
        ) : (
          `${saved === false ? "Not saved yet. " : ""}${startWords(draft, environment.name, saved)}`
        )}
      </span>
      <span className="row">
        <DeniableButton
          denied={denied ?? (saved === true && !isBusy ? "The server has it as it is here." : null)}
          isBusy={isBusy}
          onClick={() => attempt("save")}
        >
          {saved === null ? "Save draft" : "Save"}
        </DeniableButton>
        <DeniableButton look="button-primary" denied={denied} isBusy={isBusy} onClick={() => attempt("start")}>
          {isBusy ? "Working …" : draft.startDay === "" ? "Start the experiment" : "Plan the start"}
        </DeniableButton>
      </span>
    </div>
  )
}
