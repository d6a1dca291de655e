import type { Counting } from "../ExperimentState.ts"

interface Props {
  readonly counting: Counting
  readonly onChange: (part: Partial<Counting>) => void
}

type Choices = ReadonlyArray<readonly [value: string, words: string]>

const priors: Choices = [
  ["flat", "Flat: only the data speak"],
  ["normal", "Doubtful: most changes are small"]
]

const corrections: Choices = [
  ["holm", "Holm: hardly a false winner"],
  ["benjaminiHochberg", "Benjamini–Hochberg: few false winners"]
]

const exposures: Choices = [
  ["exclude", "are left out"],
  ["first", "count for their first group"]
]

const hints = {
  prior: "What the chance to win begins with. A doubtful prior keeps early chances from jumping.",
  correction: "Several goals give chance several tries; the p-values that decide are corrected for that.",
  multipleExposure: "Leaving them out is fair while they are few; many of them mean that something mixes the groups."
}

const Choice = (props: {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly choices: Choices
  readonly onChoose: (value: string) => void
}) => (
  <label className="field">
    {props.label}
    <select className="input" value={props.value} onChange={({ currentTarget }) => props.onChoose(currentTarget.value)}>
      {props.choices.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
    <small>{props.hint}</small>
  </label>
)

/** How numbers are counted, where there is more than one right way. The address keeps it. */
export const CountingFields = ({ counting: { prior, correction, multipleExposure }, onChange }: Props) => {
  const isUsual = prior === "flat" && correction === "holm" && multipleExposure === "exclude"
  return (
    <details className="counting" open={!isUsual}>
      <summary>How it is counted{isUsual ? "" : ": not as usual"}</summary>
      <div className="counting-fields">
        <Choice
          label="Prior"
          hint={hints.prior}
          value={prior}
          choices={priors}
          onChoose={(next) => onChange({ prior: next === "normal" ? "normal" : "flat" })}
        />
        <Choice
          label="Correction of goals"
          hint={hints.correction}
          value={correction}
          choices={corrections}
          onChoose={(next) => onChange({ correction: next === "holm" ? "holm" : "benjaminiHochberg" })}
        />
        <Choice
          label="Players who saw two groups"
          hint={hints.multipleExposure}
          value={multipleExposure}
          choices={exposures}
          onChoose={(next) => onChange({ multipleExposure: next === "first" ? "first" : "exclude" })}
        />
      </div>
    </details>
  )
}
