import type { Where } from "../api/queries.ts"
import { useCohorts, useExperiments } from "../api/queries.ts"
import { useProject } from "../shell/Project.tsx"
import type { Choice } from "../ui/Picker.tsx"
import { Picker } from "../ui/Picker.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import type { HeatmapComparison, Named } from "./Comparison.ts"

interface Props {
  readonly where: Where
  readonly comparison: HeatmapComparison | null
  readonly per: "players" | "share"
  readonly onChange: (part: {
    readonly comparison?: HeatmapComparison | null
    readonly per?: "players" | "share"
  }) => void
}

const everybodyElse = "-"

const choicesOf = (all: ReadonlyArray<Named>): ReadonlyArray<Choice> =>
  all.map(({ id, name }) => ({ value: String(id), label: name }))

const chosenOf = (all: ReadonlyArray<Named>, id: string): Named | null => {
  const found = all.find((each) => String(each.id) === id)
  return found === undefined ? null : { id: found.id, name: found.name }
}

const pers = [
  ["players", "Per 100 players"],
  ["share", "Share of all"]
] as const

/** With what the map is compared, and by what both sides are divided so that their sizes do not count. */
export const ComparisonFields = ({ where, comparison, per, onChange }: Props) => {
  const { may } = useProject()
  const cohorts = useCohorts(where).data ?? []
  const experiments = useExperiments(where, may("experiments:read"))
  const tried = (experiments.data ?? []).filter(({ groups }) => groups.length > 1)
  const begin = (kind: string) => {
    const [cohort] = cohorts
    const [experiment] = tried
    if (kind === "period") onChange({ comparison: { kind: "period" } })
    else if (kind === "cohorts" && cohort !== undefined)
      onChange({ comparison: { kind, first: { id: cohort.id, name: cohort.name }, second: null } })
    else if (kind === "groups" && experiment !== undefined) chooseExperiment(String(experiment.id))
    else onChange({ comparison: null })
  }
  const chooseExperiment = (id: string) => {
    const experiment = tried.find((each) => String(each.id) === id)
    const [control, variant] = experiment?.groups ?? []
    if (experiment === undefined || control === undefined || variant === undefined) return
    const named = (each: Named): Named => ({ id: each.id, name: each.name })
    onChange({
      comparison: { kind: "groups", experiment: named(experiment), first: named(variant), second: named(control) }
    })
  }
  const kinds: ReadonlyArray<Choice> = [
    { value: "none", label: "Nothing" },
    { value: "period", label: "The period before" },
    ...(cohorts.length > 0 ? [{ value: "cohorts", label: "Cohorts" }] : []),
    ...(tried.length > 0 ? [{ value: "groups", label: "Groups of an experiment" }] : [])
  ]
  const groups =
    comparison?.kind === "groups" ? (tried.find(({ id }) => id === comparison.experiment.id)?.groups ?? []) : []
  return (
    <fieldset>
      <legend>Compare with</legend>
      <Picker label="Compare with" value={comparison?.kind ?? "none"} choices={kinds} onChoose={begin} />
      {comparison?.kind === "cohorts" && (
        <div className="map-sides">
          <Picker
            label="Cohort"
            value={String(comparison.first.id)}
            choices={choicesOf(cohorts)}
            onChoose={(id) => {
              const first = chosenOf(cohorts, id)
              if (first !== null) onChange({ comparison: { ...comparison, first } })
            }}
          />
          <span className="faint">against</span>
          <Picker
            label="Cohort it is compared with"
            value={comparison.second === null ? everybodyElse : String(comparison.second.id)}
            choices={[{ value: everybodyElse, label: "Everybody else" }, ...choicesOf(cohorts)]}
            onChoose={(id) => onChange({ comparison: { ...comparison, second: chosenOf(cohorts, id) } })}
          />
        </div>
      )}
      {comparison?.kind === "groups" && (
        <div className="map-sides">
          <Picker
            label="Experiment"
            value={String(comparison.experiment.id)}
            choices={choicesOf(tried)}
            onChoose={chooseExperiment}
          />
          {(["first", "second"] as const).map((side) => (
            <Picker
              key={side}
              label={side === "first" ? "Group" : "Group it is compared with"}
              value={String(comparison[side].id)}
              choices={choicesOf(groups)}
              onChoose={(id) => {
                const group = chosenOf(groups, id)
                if (group !== null) onChange({ comparison: { ...comparison, [side]: group } })
              }}
            />
          ))}
        </div>
      )}
      {comparison !== null && (
        <Segmented label="Numbers are" value={per} choices={pers} onChoose={(next) => onChange({ per: next })} />
      )}
    </fieldset>
  )
}
