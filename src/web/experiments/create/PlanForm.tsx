import { BaseCard } from "./BaseCard.tsx"
import { DurationCard } from "./DurationCard.tsx"
import { GoalsCard } from "./GoalsCard.tsx"
import { OptionsCard } from "./OptionsCard.tsx"
import type { PlanDraft } from "./PlanDraft.ts"
import type { Plan } from "./usePlan.ts"
import { WhatCard } from "./WhatCard.tsx"
import { WhoCard } from "./WhoCard.tsx"
import "../../theme/configurations.css"
import "../../theme/experiments.css"
import "../../theme/experimentSetup.css"
import "../../theme/experimentPlan.css"

interface Props {
  readonly draft: PlanDraft
  readonly plan: Plan
  /** Whether somebody has tried to start it, so that what is missing is said. */
  readonly isTried: boolean
  readonly now: number
  readonly onChange: (part: Partial<PlanDraft>) => void
}

/** The cards of a plan, from what it is for to when it runs. */
export const PlanForm = ({ draft, plan, isTried, now, onChange }: Props) => {
  const { problems } = plan
  return (
    <>
      <WhatCard draft={draft} problem={isTried ? problems.name : null} onChange={onChange} />
      <BaseCard draft={draft} problems={problems} locks={plan.locks} isTried={isTried} onChange={onChange} />
      <WhoCard
        draft={draft}
        problems={problems}
        isTried={isTried}
        estimate={plan.estimate.data}
        isCounting={plan.isCounting}
        uncounted={plan.uncounted}
        layers={plan.layers}
        properties={plan.properties}
        onChange={onChange}
      />
      <OptionsCard draft={draft} problem={problems.holdout} onChange={onChange} />
      <GoalsCard
        draft={draft}
        isTried={isTried}
        estimates={plan.estimates}
        error={plan.estimate.error}
        onChange={onChange}
      />
      <DurationCard
        draft={draft}
        problems={problems}
        estimate={plan.estimate.data}
        estimates={plan.estimates}
        share={plan.share}
        lanes={plan.lanes}
        now={now}
        onChange={onChange}
      />
    </>
  )
}
