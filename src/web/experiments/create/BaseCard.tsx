import { useQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { Link } from "wouter"
import { configurationQuery, useConfigurations } from "../../configurations/ConfigurationQueries.ts"
import type { Lock } from "../../configurations/Locks.ts"
import { useProject, useWhere } from "../../shell/Project.tsx"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Picker } from "../../ui/Picker.tsx"
import { Failed, Skeleton } from "../../ui/States.tsx"
import { pathWords } from "../ExperimentWords.ts"
import { ChangesSheet } from "./ChangesSheet.tsx"
import { GroupFields } from "./GroupFields.tsx"
import type { GroupDraft, PlanDraft } from "./PlanDraft.ts"
import { evenly, freshGroup } from "./PlanDraft.ts"
import type { PlanProblems } from "./PlanProblems.ts"
import { Problem } from "./Problem.tsx"
import { deniedTo } from "../../text/Denied.ts"

interface Props {
  readonly draft: PlanDraft
  readonly problems: PlanProblems
  /** Values that other experiments hold while this one runs. */
  readonly locks: ReadonlyArray<Lock>
  /** Whether somebody has tried to make it, so that what is missing is said. */
  readonly isTried: boolean
  readonly onChange: (part: Partial<PlanDraft>) => void
}

const mostGroups = 8

/** The configuration that is changed, and the groups with what each gets instead. */
export const BaseCard = ({ draft, problems, locks, isTried, onChange }: Props) => {
  const { applicationId, environment, may } = useProject()
  const where = useWhere()
  const maySee = may("configurations:read")
  const configurations = useConfigurations(where, maySee)
  const { baseId, groups } = draft
  const base = useQuery({ ...configurationQuery(where, baseId ?? 0), enabled: maySee && baseId !== null })
  const [editing, edit] = useState<string | null>(null)
  const choices = useMemo(
    () =>
      (configurations.data ?? []).map(({ id, name, isPrimary }) => ({
        value: String(id),
        label: name,
        ...(isPrimary ? { hint: "primary" } : {})
      })),
    [configurations.data]
  )
  const setGroup = (key: string, part: Partial<GroupDraft>) =>
    onChange({ groups: groups.map((group) => (group.key === key ? { ...group, ...part } : group)) })
  const edited = groups.find(({ key }) => key === editing)
  return (
    <section className="card plan-card" aria-label="Base and groups">
      <h2>Base and groups</h2>
      {!maySee ? (
        <p className="faint">An experiment changes a configuration. {deniedTo("Seeing one", "configurations:read")}</p>
      ) : configurations.error !== null ? (
        <Failed error={configurations.error} retry={() => void configurations.refetch()} />
      ) : configurations.data?.length === 0 ? (
        <p>
          {environment.name} has no configuration yet, and an experiment changes one.{" "}
          <Link href={`/p/${applicationId}/${environment.alias}/configurations`}>Make one first</Link>
        </p>
      ) : (
        <div className="row">
          <span>Groups change</span>
          <Picker
            label="Base configuration"
            value={baseId === null ? "" : String(baseId)}
            placeholder="Choose a configuration"
            choices={choices}
            onChoose={(id) =>
              onChange({
                baseId: Number(id),
                groups: Number(id) === baseId ? groups : groups.map((group) => ({ ...group, operations: [] }))
              })
            }
          />
        </div>
      )}
      {isTried && <Problem text={problems.base} />}
      {maySee && baseId !== null && base.data === undefined && (base.error === null ? <Skeleton height={80} /> : null)}
      {base.error !== null && <Failed error={base.error} retry={() => void base.refetch()} />}
      <ul className="groups">
        {groups.map((group, ordinal) => (
          <GroupFields
            key={group.key}
            group={group}
            ordinal={ordinal}
            base={base.data?.configuration}
            canRemove={groups.length > 2}
            onChange={(part) => setGroup(group.key, part)}
            onControl={() =>
              onChange({ groups: groups.map((each) => ({ ...each, isControl: each.key === group.key })) })
            }
            onEdit={() => edit(group.key)}
            onRemove={() => {
              const rest = groups.filter(({ key }) => key !== group.key)
              const hasControl = rest.some(({ isControl }) => isControl)
              onChange({
                groups: evenly(rest.map((each, index) => (hasControl ? each : { ...each, isControl: index === 0 })))
              })
            }}
          />
        ))}
      </ul>
      <div className="row">
        <DeniableButton
          look="button-small"
          denied={groups.length >= mostGroups ? "An experiment has eight groups at most." : null}
          onClick={() => onChange({ groups: evenly([...groups, freshGroup(`Changed ${groups.length}`, "0")]) })}
        >
          <Icon name="plus" size={14} />
          Add a group
        </DeniableButton>
        <button type="button" className="button button-small" onClick={() => onChange({ groups: evenly(groups) })}>
          Split evenly
        </button>
      </div>
      <Problem text={problems.groups} />
      {isTried && <Problem text={problems.changes} />}
      {problems.collisions.map(({ id, name, path }) => (
        <p key={`${id} ${name}`} className="form-error" role="status">
          <Icon name="lock" size={14} />
          <span>
            {pathWords(path)} is held by{" "}
            <Link href={`/p/${applicationId}/${environment.alias}/experiments/${id ?? ""}?tab=setup`}>{name}</Link> at
            the same time. Change another value, start after it ends, or end it.
          </span>
        </p>
      ))}
      {edited !== undefined && base.data !== undefined && (
        <ChangesSheet
          group={edited}
          base={base.data}
          locks={locks}
          isReadOnly={!may("experiments:write")}
          onChange={(operations) => setGroup(edited.key, { operations })}
          onClose={() => edit(null)}
        />
      )}
    </section>
  )
}
