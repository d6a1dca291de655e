import { useState } from "react"
import type { Document } from "../../../domain/configuration/Document.ts"
import { useProject, useWhere } from "../../shell/Project.tsx"
import { countText, numberText } from "../../text/Numbers.ts"
import { useDropped } from "../ExperimentQueries.ts"
import type { Experiment, ExperimentGroup } from "../ExperimentWords.ts"
import { isOpen, lacking, shareText, unitsWord, unitWord } from "../ExperimentWords.ts"
import { DropGroup } from "./DropGroup.tsx"
import { OperationList } from "./OperationList.tsx"
import { Refusal } from "./Refusal.tsx"
import { useExperimentWrites, useGroupCounts } from "./useExperimentWrites.ts"
import { sharesOf, WeightFields } from "./WeightFields.tsx"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { useTyped } from "../../ui/kept/useKept.ts"

interface Props {
  readonly experiment: Experiment
  readonly base: Document | undefined
}

/** The groups: how many players or game servers each has, the share of new ones it gets, and what it changes. */
export const GroupsCard = ({ experiment, base }: Props) => {
  const { may } = useProject()
  const where = useWhere()
  const counts = useGroupCounts(where, experiment.id)
  const { update } = useExperimentWrites(where, experiment.id)
  const [dropping, drop] = useState<ExperimentGroup | null>(null)
  const { groups, updatedAt } = experiment
  const units = unitsWord(experiment)
  const dropped = useDropped(where, experiment)
  const weighed = groups.filter(({ id }) => !dropped.has(id))
  const typed = useTyped(`experiment-shares-${where.environmentId}-${experiment.id}`, sharesOf(weighed))
  const [isWeighing, weigh] = useState(typed.isTyped)
  const closeWeights = () => {
    typed.discard()
    weigh(false)
  }
  const reason = !may("experiments:write") ? lacking : isOpen(experiment) ? undefined : "The experiment is over."
  const countOf = (groupId: number) => counts.data?.find((each) => each.groupId === groupId)
  const taking = groups.filter(({ weight }) => weight > 0).length
  return (
    <section className="card" aria-label="Groups">
      <div className="toolbar">
        <h2>Groups</h2>
        <span className="toolbar-end">
          <DeniableButton denied={reason ?? null} look="button-small" isBusy={isWeighing} onClick={() => weigh(true)}>
            Change the shares
          </DeniableButton>
        </span>
      </div>
      {isWeighing && reason === undefined && (
        <WeightFields
          groups={weighed}
          typed={typed}
          units={units}
          isBusy={update.isPending}
          onClose={closeWeights}
          onSave={(weights) => update.mutate({ weights, basedOn: updatedAt }, { onSuccess: closeWeights })}
        />
      )}
      <Refusal error={dropping === null ? update.error : null} />
      <ul className="groups">
        {groups.map((group) => {
          const { id, ordinal, name, label, weight, isControl, changeset } = group
          const count = countOf(id)
          const only = weight > 0 && taking === 1 ? `It is the only group that takes ${units}.` : undefined
          const isDropped = dropped.has(id)
          const dropReason = reason ?? (isDropped ? "It was dropped already." : only)
          return (
            <li key={id} className="group">
              <div className="group-head">
                <i className={`series-dot series-${ordinal % 8}`} />
                <b>{label ?? name}</b>
                {isControl && <span className="tag">Control</span>}
                {weight === 0 && <span className="tag tag-warning">{isDropped ? "dropped" : "takes nobody new"}</span>}
                <span className="toolbar-end">
                  <DeniableButton
                    denied={dropReason ?? null}
                    look="button-small"
                    onClick={() => {
                      update.reset()
                      drop(group)
                    }}
                  >
                    Drop<span className="unseen"> {label ?? name}</span>
                  </DeniableButton>
                </span>
              </div>
              <p className="faint">
                {shareText(weight)} of new {units}
                {count !== undefined && ` · ${countText(count.active, unitWord(experiment))} in it`}
                {count !== undefined && count.unenrolled > 0 && ` · ${numberText(count.unenrolled)} taken out`}
              </p>
              <OperationList base={base} operations={changeset.operations} />
            </li>
          )
        })}
      </ul>
      {dropping !== null && (
        <DropGroup
          group={dropping}
          unit={unitWord(experiment)}
          count={countOf(dropping.id)?.active}
          error={update.error}
          isBusy={update.isPending}
          onClose={() => drop(null)}
          onDrop={() => update.mutate({ dropGroupIds: [dropping.id] }, { onSuccess: () => drop(null) })}
        />
      )}
    </section>
  )
}
