import { numberText } from "../text/Numbers.ts"
import type { Step } from "../text/Times.ts"
import { bucketName } from "../text/Times.ts"
import { NumberLink } from "../ui/NumberLink.tsx"
import type { Chosen } from "./Point.ts"
import type { ShownSeries } from "./Series.ts"

interface Props {
  readonly buckets: ReadonlyArray<string>
  readonly complete: ReadonlyArray<boolean>
  readonly series: ReadonlyArray<ShownSeries>
  readonly step: Step
  readonly timezone: string
  /** A value was chosen; without it the table only shows. */
  readonly onChoose?: (chosen: Chosen) => void
}

/** Every value: a row for each bucket, the newest first. */
export const BucketTable = ({ buckets, complete, series, step, timezone, onChoose }: Props) => (
  <div className="table-box table-tall" role="region" aria-label="Values over time" tabIndex={0}>
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{step === "hour" ? "Hour" : step === "day" ? "Day" : step === "week" ? "Week" : "Month"}</th>
          {series.map(({ key, name }) => (
            <th key={key} scope="col" className="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets
          .map((bucket, index) => (
            <tr key={bucket}>
              <th scope="row">
                {bucketName(bucket, step, timezone)}
                {complete[index] === true ? "" : " so far"}
              </th>
              {series.map((each) => (
                <td key={each.key} className="number">
                  {onChoose === undefined ? (
                    numberText(each.values[index])
                  ) : (
                    <NumberLink
                      value={each.values[index]}
                      onChoose={(place) => onChoose({ point: { series: each, bucket: index }, place })}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))
          .reverse()}
      </tbody>
    </table>
  </div>
)
