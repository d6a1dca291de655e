import type { FormEvent } from "react"
import { useRef } from "react"
import { percentText } from "../text/Numbers.ts"
import { RemoveButton } from "../ui/Button.tsx"
import type { Benchmark } from "./Benchmark.ts"
import { mostBenchmarks, withBenchmark } from "./Benchmark.ts"

interface Props {
  readonly benchmarks: ReadonlyArray<Benchmark>
  /** `Day` */
  readonly unit: string
  /** The highest interval of the grid. */
  readonly last: number
  /** The average of each interval, from the first on; null where it is not known. */
  readonly averages: ReadonlyArray<number | null>
  readonly onChange: (benchmarks: ReadonlyArray<Benchmark>) => void
}

const Verdict = ({ average, rate }: { readonly average: number | null | undefined; readonly rate: number }) =>
  average === null || average === undefined ? null : average >= rate ? (
    <span className="up">reached: {percentText(average)}</span>
  ) : (
    <span className="down">missed: {percentText(average)}</span>
  )

/** What the studio wants to reach, each against the average; and a form for another one. */
export const Benchmarks = ({ benchmarks, unit, last, averages, onChange }: Props) => {
  const details = useRef<HTMLDetailsElement>(null)
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    onChange(withBenchmark(benchmarks, { interval: Number(fields.get("interval")), rate: Number(fields.get("rate")) }))
    event.currentTarget.reset()
  }
  return (
    <div className="row benchmarks">
      <ul aria-label="Benchmarks">
        {benchmarks.map(({ interval, rate }) => (
          <li key={interval}>
            <span>
              {unit} {interval}: <b>{percentText(rate, rate % 1 === 0 ? 0 : 1)}</b>
            </span>
            <Verdict average={averages[interval - 1]} rate={rate} />
            <RemoveButton
              label={`Remove the benchmark of ${unit.toLowerCase()} ${interval}`}
              onRemove={() => onChange(benchmarks.filter((each) => each.interval !== interval))}
            />
          </li>
        ))}
      </ul>
      {benchmarks.length < mostBenchmarks && (
        <details
          className="menu menu-below"
          ref={details}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return
            details.current?.removeAttribute("open")
            details.current?.querySelector("summary")?.focus()
          }}
        >
          <summary>+ Benchmark</summary>
          <form className="menu-body benchmark-form" onSubmit={add}>
            <label>
              {unit}
              <input className="input" name="interval" type="number" min={1} max={last} required defaultValue={1} />
            </label>
            <label>
              Percent
              <input className="input" name="rate" type="number" min={0.1} max={100} step={0.1} required />
            </label>
            <button type="submit" className="button button-primary">
              Add
            </button>
          </form>
        </details>
      )}
    </div>
  )
}
